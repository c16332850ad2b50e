package io.waybill.bench.child;

import io.waybill.broker.ForwardingPublisher;
import io.waybill.broker.Publisher;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Watches a relay: what its heap holds after collections, and how long a turn takes at most. */
final class Peaks {
  private static final Duration STEP = Duration.ofMillis(20);

  // 0 before the first turn.
  private volatile long lastTurn;
  private volatile long heapBytes;
  private volatile long turnNanos;

  /** A relay flushes its publisher at the beginning of each turn, and nowhere else. */
  Publisher around(Publisher publisher) {
    return new ForwardingPublisher(publisher) {
      @Override
      public void flush() {
        lastTurn = System.nanoTime();
        super.flush();
      }
    };
  }

  /**
   * Watches from now on.
   *
   * @param wake wakes the relay: one that is woken all the time begins a turn all the time, unless
   *     one takes long
   */
  void watch(Runnable wake) {
    Thread watch = new Thread(() -> watchAlways(wake), "peaks");
    watch.setDaemon(true);
    watch.start();
  }

  private void watchAlways(Runnable wake) {
    while (true) {
      wake.run();
      LockSupport.parkNanos(STEP.toNanos());
      long turn = lastTurn;
      turnNanos = Math.max(turnNanos, turn == 0 ? 0 : System.nanoTime() - turn);
      heapBytes = Math.max(heapBytes, afterCollections());
    }
  }

  private static long afterCollections() {
    long bytes = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage usage = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
      bytes += usage == null ? 0 : usage.getUsed();
    }
    return bytes;
  }

  /** Megabytes and milliseconds. */
  String words() {
    return (heapBytes >> 20) + " " + turnNanos / 1_000_000;
  }
}
