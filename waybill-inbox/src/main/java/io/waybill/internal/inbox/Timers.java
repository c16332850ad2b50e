package io.waybill.internal.inbox;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Messages that wait for a time. */
final class Timers {
  static final long MILLI = 1_000_000L;

  private record Timer(long due, long number, Item item) {}

  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(Comparator.comparingLong(Timer::due).thenComparingLong(Timer::number));
  private long numbers;

  void start(Item item, long due) {
    item.waits(++numbers);
    timers.add(new Timer(due, item.timer, item));
  }

  void cancel(Item item) {
    item.waited();
  }

  /** The next message whose time has come; null if there is none. */
  @Nullable Item poll(long now) {
    for (Timer timer = timers.peek(); timer != null; timer = timers.peek()) {
      boolean valid = timer.item.timer == timer.number;
      if (valid && timer.due - now > 0) {
        return null;
      }
      timers.poll();
      if (valid) {
        timer.item.waited();
        return timer.item;
      }
    }
    return null;
  }

  long deadline() {
    Timer timer = timers.peek();
    return timer == null ? Long.MAX_VALUE : timer.due;
  }
}
