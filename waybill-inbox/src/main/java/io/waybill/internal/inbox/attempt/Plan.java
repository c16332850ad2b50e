package io.waybill.internal.inbox.attempt;

import io.waybill.handler.Registration;

/** What to do with a message, as far as its type determines that. */
public sealed interface Plan {
  /**
   * Call the handler.
   *
   * @param registration the handler
   */
  record Handle(Registration registration) implements Plan {}

  /** Acknowledge it unseen. */
  record Ignore() implements Plan {}

  /**
   * Acknowledge it unseen, since it is for another consumer.
   *
   * @param consumer name of that consumer
   */
  record PassOver(String consumer) implements Plan {}

  /**
   * Dead-letter it.
   *
   * @param reason short machine-readable class
   * @param detail one sentence for an operator
   */
  record Bury(String reason, String detail) implements Plan {}

  /**
   * Stop its lane.
   *
   * @param detail one sentence for an operator
   */
  record Halt(String detail) implements Plan {}
}
