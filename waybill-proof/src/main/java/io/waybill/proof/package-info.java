/** How tests of this build run: their limits, their signals, and the relay they start. */
@NullMarked
package io.waybill.proof;

import org.jspecify.annotations.NullMarked;
