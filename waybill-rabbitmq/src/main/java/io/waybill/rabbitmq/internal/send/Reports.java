package io.waybill.rabbitmq.internal.send;

import io.waybill.broker.Confirmation;
import io.waybill.broker.PublisherListener;
import java.util.List;

/**
 * How the outcomes of sends reach the listener: they are collected under the lock of the publish
 * window and told without it.
 */
final class Reports {
  private final PublisherListener listener;
  private final WaitingSends waiting;
  private final boolean isStrict;

  Reports(PublisherListener listener, WaitingSends waiting, boolean isStrict) {
    this.listener = listener;
    this.waiting = waiting;
    this.isStrict = isStrict;
  }

  /**
   * Runs what a thread of the client library calls, which keeps its errors to itself: one leaves
   * open which sends still get an outcome.
   */
  void guard(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      listener.failed(e);
      throw e;
    }
  }

  /** Outcomes are told once: those that the listener did not take are lost. */
  void tell(List<Confirmation> outcomes) {
    if (!outcomes.isEmpty()) {
      guard(() -> outcomes.forEach(listener::onConfirmation));
    }
  }

  /** Adds the outcome of a send that has none. Guarded by the lock of the publish window. */
  void add(Send send, Confirmation outcome, List<Confirmation> outcomes) {
    if (!send.report()) {
      return;
    }
    outcomes.add(outcome);
    if (isStrict && !(outcome instanceof Confirmation.Confirmed)) {
      // With several sends of a key accepted, those behind a failed one must not overtake it.
      waiting.removeSuccessors(
          send,
          next -> add(next, next.lost("predecessor-failed", "an earlier one failed"), outcomes));
    }
  }
}
