package io.waybill.encode;

import io.waybill.broker.Outgoing;

/** The result of encoding a row. */
public sealed interface Encoding {
  /**
   * The row has a body.
   *
   * @param outgoing the message
   */
  record Encoded(Outgoing outgoing) implements Encoding {}

  /**
   * The row has no body in its format.
   *
   * @param reason short machine-readable class: {@code bad-payload}
   * @param detail names the event, the format and the broken rule; no payload
   */
  record NotEncodable(String reason, String detail) implements Encoding {}
}
