package io.waybill.inbox;

/** What is to be done with a message, as far as its type says. */
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
   * Acknowledge it unseen: it is another consumer's.
   *
   * @param consumer whose
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
