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
}
