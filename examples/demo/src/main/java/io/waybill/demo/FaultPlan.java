package io.waybill.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** The script: presses buttons when a share of the events is written. Not thread-safe. */
final class FaultPlan {
  private final Deque<Press> waiting;
  private final Buttons buttons;
  private final int events;

  /** A button, to make a fault or to end it, from a share of the events on. */
  private record Press(double share, String key, boolean mend) {}

  private FaultPlan(List<Press> presses, Buttons buttons, int events) {
    this.waiting = new ArrayDeque<>(presses);
    this.buttons = buttons;
    this.events = events;
  }

  /** Kills one relay and the broker, and starts both again. */
  static FaultPlan script(Buttons buttons, int events) {
    return new FaultPlan(
        List.of(
            new Press(0.3, Fault.RELAY, false),
            new Press(0.6, Fault.BROKER, false),
            new Press(0.6, Fault.BROKER, true),
            new Press(0.6, Fault.RELAY, true)),
        buttons,
        events);
  }

  /** Leaves the buttons to a person. */
  static FaultPlan none(Buttons buttons) {
    return new FaultPlan(List.of(), buttons, 0);
  }

  /** Presses what is due, one after another. */
  void advance(long written) throws InterruptedException, ExecutionException {
    if (!waiting.isEmpty() && buttons.idle() && written >= waiting.peek().share() * events) {
      Press press = waiting.remove();
      buttons.press(press.key(), press.mend());
    }
  }

  /** Presses nothing more. */
  void abandon() {
    waiting.clear();
  }

  /** Whether all was pressed and done; fails with the failure of a fault. */
  boolean over() throws InterruptedException, ExecutionException {
    return buttons.idle() && waiting.isEmpty();
  }
}
