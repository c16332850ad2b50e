/** One candidate carries a backlog, or events as they are written. */
@NullMarked
package io.waybill.bench.run;

import org.jspecify.annotations.NullMarked;
