/** The stores on JDBC. */
@NullMarked
package io.waybill.jdbc;

import org.jspecify.annotations.NullMarked;
