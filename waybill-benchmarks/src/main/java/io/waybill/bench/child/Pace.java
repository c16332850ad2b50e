package io.waybill.bench.child;

import java.util.concurrent.locks.LockSupport;

/** Even intervals that do not drift: what is late is made up for. */
public final class Pace {
  private final long start;
  private final long interval;
  private long count;

  /**
   * Intervals from a moment on.
   *
   * @param start monotonic time in nanoseconds
   * @param intervalNanos length of each
   */
  public Pace(long start, long intervalNanos) {
    this.start = start;
    this.interval = intervalNanos;
  }

  /** Returns when the next one is over. */
  public void awaitNext() {
    long due = start + interval * ++count;
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
