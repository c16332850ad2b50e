package io.waybill.relay;

import io.waybill.message.Destination;
import org.jspecify.annotations.Nullable;

/** What happens to an event whose attempts are used up, and to its key. */
public sealed interface FailurePolicy {
  /** Park the event; its key waits until an operator retries, skips or buries it. */
  record Park() implements FailurePolicy {}

  /**
   * Give the event up and let its key go on.
   *
   * @param deadLetter where a copy goes first, or null for none
   */
  record Bury(@Nullable Destination deadLetter) implements FailurePolicy {}
}
