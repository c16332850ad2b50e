package io.waybill.bench.takeover;

import java.util.Set;

/**
 * One fault.
 *
 * @param struck when it began
 * @param end when all was calm again, and nobody had put anything right yet
 * @param calm length in nanoseconds of the calm time before it
 * @param owned when all lanes had owners again
 * @param moved lanes that changed hands
 */
record Round(long struck, long end, long calm, long owned, Set<Integer> moved) {
  /** Copies the lanes. */
  Round {
    moved = Set.copyOf(moved);
  }

  double secondsUntilOwned() {
    return (owned - struck) / 1e9;
  }

  /** The time before. */
  Window before() {
    return new Window(struck - calm, struck);
  }

  /** As long a time from the fault on. */
  Window asLong() {
    return new Window(struck, struck + calm);
  }

  /** From the fault until everything had arrived that was committed in the round. */
  Window whole(Arrivals arrivals) {
    return new Window(struck, arrivals.settled(end));
  }
}
