/** Waybill beside its rivals. */
@NullMarked
package io.waybill.bench.compare;

import org.jspecify.annotations.NullMarked;
