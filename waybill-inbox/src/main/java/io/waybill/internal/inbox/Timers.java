package io.waybill.internal.inbox;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Messages that wait for a time. */
final class Timers {
  static final long MILLI = 1_000_000L;

  private record Timer(long due, long number, PendingMessage message) {}

  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(Comparator.comparingLong(Timer::due).thenComparingLong(Timer::number));
  private long numbers;

  void start(PendingMessage message, long due) {
    message.waits(++numbers);
    timers.add(new Timer(due, message.timer, message));
  }

  void cancel(PendingMessage message) {
    message.waited();
  }

  /** The next message whose time has come; null if there is none. */
  @Nullable PendingMessage poll(long now) {
    for (Timer timer = timers.peek(); timer != null; timer = timers.peek()) {
      boolean valid = timer.message.timer == timer.number;
      if (valid && timer.due - now > 0) {
        return null;
      }
      timers.poll();
      if (valid) {
        timer.message.waited();
        return timer.message;
      }
    }
    return null;
  }

  long deadline() {
    Timer timer = timers.peek();
    return timer == null ? Long.MAX_VALUE : timer.due;
  }
}
