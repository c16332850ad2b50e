package io.waybill.bench.child;

import java.util.concurrent.locks.LockSupport;

/** Even intervals that do not drift: what is late is made up for. */
final class Pace {
  private final long start;
  private final long interval;
  private long count;

  Pace(long start, long intervalNanos) {
    this.start = start;
    this.interval = intervalNanos;
  }

  void awaitNext() {
    long due = start + interval * ++count;
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
