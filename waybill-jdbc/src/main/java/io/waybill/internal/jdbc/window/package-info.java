/** Waybill's table on PostgreSQL, read by windows of commits. */
@NullMarked
package io.waybill.internal.jdbc.window;

import org.jspecify.annotations.NullMarked;
