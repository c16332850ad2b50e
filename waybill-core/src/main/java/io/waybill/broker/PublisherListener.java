package io.waybill.broker;

/** Receives the reports of a {@link Publisher}, on its threads; implementations only enqueue. */
public interface PublisherListener {
  /**
   * Receives the outcome of one send.
   *
   * @param confirmation the outcome
   */
  void onConfirmation(Confirmation confirmation);

  /**
   * The broker accepts no messages for now (unreachable, blocked by an alarm): stop sending.
   *
   * @param reason one sentence for an operator
   */
  void unavailable(String reason);

  /** The broker accepts messages: once after the start, and again after it did not. */
  void available();

  /**
   * The publisher can't continue: one of its threads has ended for good. The caller that uses it
   * closes it, and treats sends without an outcome as unknown.
   *
   * @param cause the error that ended it
   */
  void failed(Throwable cause);
}
