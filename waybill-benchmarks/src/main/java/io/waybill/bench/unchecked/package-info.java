/** Relays as users start them, but without the checks before the start. */
@NullMarked
package io.waybill.bench.unchecked;

import org.jspecify.annotations.NullMarked;
