package io.waybill.internal.encode;

import io.waybill.broker.Outgoing;

/** A message of a row, or the reason why there is none. */
public sealed interface Mapped {
  /**
   * The row has a destination and a body.
   *
   * @param message the message
   */
  record Message(Outgoing message) implements Mapped {}

  /**
   * The row can't be sent as it is; counts as a definite rejection.
   *
   * @param reason short machine-readable class, for example {@code unroutable}
   * @param detail one sentence for an operator that names the event, the rule and the value; no
   *     payload
   */
  record Unmappable(String reason, String detail) implements Mapped {}
}
