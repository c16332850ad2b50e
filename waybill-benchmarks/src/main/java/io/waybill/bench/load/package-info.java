/** The events of a run and the tables that hold them. */
@NullMarked
package io.waybill.bench.load;

import org.jspecify.annotations.NullMarked;
