package io.waybill.internal.inbox;

import io.waybill.broker.Outgoing;
import io.waybill.internal.encode.DeadLetterEncoder;
import io.waybill.internal.encode.DeadLetterForm;

/** Makes dead letters of messages that can't be handled. Thread-safe. */
@FunctionalInterface
public interface DeadLetterFactory {
  /**
   * Makes a dead letter.
   *
   * @param original the message that can't be handled
   * @param reason short machine-readable class
   * @param error class and message of the failure
   * @param form how much of the original the dead letter has
   * @param sendId identifies the send
   * @return the message
   */
  Outgoing letter(
      DeadLetterEncoder.Original original,
      String reason,
      String error,
      DeadLetterForm form,
      long sendId);
}
