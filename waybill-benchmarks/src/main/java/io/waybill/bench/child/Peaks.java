package io.waybill.bench.child;

import io.waybill.internal.relay.shell.Relay;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Watches a relay: what its heap holds after collections, and how long a turn takes at most. */
final class Peaks {
  private static final Duration STEP = Duration.ofMillis(20);

  private final Relay relay;
  private volatile long heapBytes;
  private volatile long turnNanos;

  private Peaks(Relay relay) {
    this.relay = relay;
  }

  static Peaks of(Relay relay) {
    Peaks peaks = new Peaks(relay);
    Thread watch = new Thread(peaks::watch, "peaks");
    watch.setDaemon(true);
    watch.start();
    return peaks;
  }

  /** A relay that is woken all the time ends a turn all the time, unless one takes long. */
  private void watch() {
    while (true) {
      relay.nudge();
      LockSupport.parkNanos(STEP.toNanos());
      turnNanos = Math.max(turnNanos, relay.sinceLastTurn().toNanos());
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
