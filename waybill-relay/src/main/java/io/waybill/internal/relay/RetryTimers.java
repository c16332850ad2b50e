package io.waybill.internal.relay;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Keys that back off, by the time of their next attempt. */
final class RetryTimers {
  private record Timer(long due, long sequence, KeyQueue key) {}

  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(Comparator.comparingLong(Timer::due).thenComparingLong(Timer::sequence));
  private long sequence;

  void start(KeyQueue key, long due) {
    key.backOff(++sequence, due);
    timers.add(new Timer(due, sequence, key));
  }

  /** Ends the key's waiting before its time. */
  void cancel(KeyQueue key) {
    key.goOn();
  }

  /** The next key whose time has come, its waiting ended; null if there is none. */
  @Nullable KeyQueue poll(long now) {
    while (true) {
      Timer timer = timers.peek();
      if (timer == null || timer.due - now > 0) {
        return null;
      }
      timers.poll();
      if (timer.key.timer == timer.sequence) {
        cancel(timer.key);
        return timer.key;
      }
    }
  }

  long deadline() {
    Timer timer = timers.peek();
    return timer == null ? Long.MAX_VALUE : timer.due;
  }

  void clear() {
    timers.clear();
  }
}
