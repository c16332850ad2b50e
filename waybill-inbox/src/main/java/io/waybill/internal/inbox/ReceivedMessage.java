package io.waybill.internal.inbox;

import io.waybill.broker.Delivery;
import io.waybill.internal.encode.Decoded;

/**
 * A delivery that has been decoded.
 *
 * @param delivery as it came from the broker
 * @param decoded the event, or why there is none
 */
public record ReceivedMessage(Delivery delivery, Decoded decoded) {}
