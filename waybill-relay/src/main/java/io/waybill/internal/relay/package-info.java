/** The engine of the relay: a state machine that decides and does no I/O. */
@NullMarked
package io.waybill.internal.relay;

import org.jspecify.annotations.NullMarked;
