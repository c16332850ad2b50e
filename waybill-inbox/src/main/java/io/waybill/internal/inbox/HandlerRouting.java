package io.waybill.internal.inbox;

import io.waybill.internal.encode.Decoded;
import io.waybill.internal.encode.RedriveMarks;
import io.waybill.internal.inbox.attempt.Plan;
import io.waybill.message.Headers;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done with a message.
 *
 * @param consumer name of the consumer
 * @param alone whether nobody else gets a copy of what is delivered
 * @param handlers which event goes where
 */
record HandlerRouting(String consumer, boolean alone, Handlers handlers) {
  /**
   * What an operator has sent again for another consumer is passed over, because this one had its
   * own copy. Where nobody else has one it would be lost, and is a dead letter again.
   */
  Plan plan(Headers headers, Decoded decoded) {
    String another = another(headers, decoded);
    if (another == null) {
      return handlers.plan(decoded);
    }
    return alone ? bury(another) : new Plan.PassOver(another);
  }

  /**
   * What lies in this one's own table was acknowledged and is nowhere else, so it is not passed
   * over, whatever the consumer was called when it was put there.
   */
  Plan planDeferred(Headers headers, Decoded decoded) {
    String another = another(headers, decoded);
    return alone && another != null ? bury(another) : handlers.plan(decoded);
  }

  private @Nullable String another(Headers headers, Decoded decoded) {
    String target = RedriveMarks.consumer(headers, decoded);
    return consumer.equals(target) ? null : target;
  }

  private Plan bury(String another) {
    return new Plan.Bury(
        "redriven-for-another",
        "redriven for " + another + ", but the consumer of this queue is " + consumer);
  }
}
