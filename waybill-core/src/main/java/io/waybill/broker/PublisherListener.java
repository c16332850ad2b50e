package io.waybill.broker;

/** Told by a {@link Publisher}, on its threads; implementations only enqueue. */
public interface PublisherListener {
  /**
   * The outcome of one send.
   *
   * @param confirmation what became of it
   */
  void onConfirmation(Confirmation confirmation);

  /**
   * The broker takes no messages for now (unreachable, blocked by an alarm): stop sending.
   *
   * @param reason one sentence for an operator
   */
  void unavailable(String reason);

  /** The broker takes messages again. */
  void available();

  /**
   * The publisher can do no more: one of its threads has ended for good. Whoever uses it closes it,
   * and takes what has no outcome yet for unknown.
   *
   * @param cause what ended it
   */
  void failed(Throwable cause);
}
