/** The servers of a run, its candidates, and the processes that they play in. */
@NullMarked
package io.waybill.bench.stage;

import org.jspecify.annotations.NullMarked;
