/** The relay: a state machine that decides, and a shell that acts. */
@NullMarked
package io.waybill.relay;

import org.jspecify.annotations.NullMarked;
