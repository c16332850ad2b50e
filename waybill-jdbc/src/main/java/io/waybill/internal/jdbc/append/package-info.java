/** Inserts of events into a table of any layout. */
@NullMarked
package io.waybill.internal.jdbc.append;

import org.jspecify.annotations.NullMarked;
