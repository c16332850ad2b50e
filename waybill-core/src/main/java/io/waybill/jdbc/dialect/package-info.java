/** The SQL statements, and the dialects of the databases. */
@NullMarked
package io.waybill.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
