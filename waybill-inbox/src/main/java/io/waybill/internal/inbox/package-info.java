/** The engine of the inbox: a state machine that decides and does no I/O. */
@NullMarked
package io.waybill.internal.inbox;

import org.jspecify.annotations.NullMarked;
