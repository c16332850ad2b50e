/** Counts that are the same on every machine. */
@NullMarked
package io.waybill.bench.counts;

import org.jspecify.annotations.NullMarked;
