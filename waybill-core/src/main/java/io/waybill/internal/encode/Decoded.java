package io.waybill.internal.encode;

import io.waybill.message.ReceivedEvent;

/** The result of decoding a delivery. */
public sealed interface Decoded {
  /**
   * The message is an event.
   *
   * @param event the event
   */
  record Event(ReceivedEvent event) implements Decoded {}

  /**
   * The message has no id or no type, or they are invalid.
   *
   * @param reason short machine-readable class: {@code no-event-id}, {@code bad-event-id}, {@code
   *     no-event-type}, {@code bad-event-type}, {@code bad-event-version}
   * @param detail names the rule and the value; no payload
   */
  record Undecodable(String reason, String detail) implements Decoded {}
}
