package io.waybill.inbox;

import io.waybill.encode.Decoded;
import io.waybill.encode.Decoder;
import io.waybill.message.Headers;

/**
 * What is to be done with a message.
 *
 * @param consumer name of the consumer
 * @param alone whether nobody else gets a copy of what is delivered
 * @param handlers which event goes where
 */
record Plans(String consumer, boolean alone, Handlers handlers) {
  /**
   * What an operator has sent again for another consumer is passed over, because this one had its
   * own copy. Where nobody else has one it would be lost, and is a dead letter again.
   */
  Plan plan(Headers headers, Decoded decoded) {
    String target = headers.get(Decoder.REDRIVEN_FOR);
    if (target == null || target.equals(consumer)) {
      return handlers.plan(decoded);
    }
    return alone
        ? new Plan.Bury(
            "redriven-for-another",
            "redriven for " + target + ", but the consumer of this queue is " + consumer)
        : new Plan.PassOver(target);
  }
}
