/** Scripts of the tables, and the checks before a start. */
@NullMarked
package io.waybill.internal.jdbc.schema;

import org.jspecify.annotations.NullMarked;
