/** Reads and settlements of a table of any layout, and the lanes of every table. */
@NullMarked
package io.waybill.internal.jdbc.table;

import org.jspecify.annotations.NullMarked;
