package io.waybill.proof.proxy;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The toxics of both directions. Thread-safe. */
final class Toxics {
  private final Map<Direction, List<Toxic>> all = new EnumMap<>(Direction.class);
  private boolean ended;

  Toxics() {
    for (Direction direction : Direction.values()) {
      all.put(direction, new ArrayList<>());
    }
  }

  synchronized void add(Direction direction, Toxic toxic) {
    of(direction).add(toxic);
    notifyAll();
  }

  synchronized boolean remove(Direction direction, Toxic toxic) {
    boolean removed = of(direction).remove(toxic);
    notifyAll();
    return removed;
  }

  synchronized void clear() {
    all.values().forEach(List::clear);
    notifyAll();
  }

  /** Wakes everybody who waits; nobody waits for a toxic any more. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  private List<Toxic> of(Direction direction) {
    return all.getOrDefault(direction, List.of());
  }

  synchronized boolean swallows(Direction direction) {
    return of(direction).contains(Toxic.blackHole());
  }

  /** Bytes per second, the least of all limits. */
  synchronized long bandwidth(Direction direction) {
    long least = Long.MAX_VALUE;
    for (Toxic toxic : of(direction)) {
      if (toxic instanceof Toxic.Bandwidth limit) {
        least = Math.min(least, limit.bytesPerSecond());
      }
    }
    return least;
  }

  /**
   * Waits until bytes may move on; what changes meanwhile counts at once.
   *
   * @param arrival when they came, by {@link System#nanoTime}
   * @param luck how much of the jitter they get, from 0 to 1
   */
  synchronized void await(Direction direction, long arrival, double luck)
      throws InterruptedException {
    long wait = remaining(direction, arrival, luck);
    while (wait > 0 && !ended) {
      TimeUnit.NANOSECONDS.timedWait(this, wait);
      wait = remaining(direction, arrival, luck);
    }
  }

  private long remaining(Direction direction, long arrival, double luck) {
    long latency = 0;
    for (Toxic toxic : of(direction)) {
      if (toxic instanceof Toxic.Hold) {
        return TimeUnit.HOURS.toNanos(1);
      }
      if (toxic instanceof Toxic.Latency some) {
        latency += some.base().toNanos() + (long) (some.jitter().toNanos() * luck);
      }
    }
    return arrival + latency - System.nanoTime();
  }
}
