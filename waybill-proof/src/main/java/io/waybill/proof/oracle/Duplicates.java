package io.waybill.proof.oracle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The cause of each copy beyond an event's first: a fault that overlaps the time in which the copy
 * before it was claimed, sent, confirmed and marked. Without such a fault nothing could keep that
 * copy from being marked, and the next one has no cause.
 *
 * @param total copies beyond the first
 * @param byKind those with a cause, by the kind of the fault; a copy with several counts for the
 *     one that began last
 * @param unexplained those without one
 */
public record Duplicates(long total, Map<String, Long> byKind, List<Pair> unexplained) {
  /**
   * Longest time from the claim of an event to its arrival, and from the end of a fault until
   * everybody has found everybody again.
   */
  public static final Duration CLAIM_TO_ARRIVAL = Duration.ofSeconds(5);

  /** Longest time from the arrival of an event to its mark when nothing is wrong. */
  public static final Duration ARRIVAL_TO_MARK = Duration.ofSeconds(3);

  /**
   * Two copies of one event.
   *
   * @param first the copy before
   * @param second the copy that should have a cause
   */
  public record Pair(Copy first, Copy second) {}

  /**
   * Finds the causes.
   *
   * @param delivered every delivered copy with its time, those of an event in their order
   * @param faults every fault that can cause a duplicate
   * @return what was found
   */
  public static Duplicates explain(Collection<Copy> delivered, List<FaultWindow> faults) {
    Map<String, Copy> last = new HashMap<>(delivered.size() * 2);
    Map<String, Long> byKind = new TreeMap<>();
    List<Pair> unexplained = new ArrayList<>();
    long total = 0;
    for (Copy copy : delivered) {
      Copy before = last.put(copy.eventId(), copy);
      if (before == null) {
        continue;
      }
      total++;
      Optional<FaultWindow> cause = cause(before, copy, faults);
      cause.ifPresentOrElse(
          fault -> byKind.merge(fault.kind(), 1L, Long::sum),
          () -> unexplained.add(new Pair(before, copy)));
    }
    return new Duplicates(total, byKind, unexplained);
  }

  /**
   * What somebody asked for needs no other cause.
   *
   * @param asked ids of events that were to be published again
   * @return the same, in which no copy of them is unexplained
   */
  public Duplicates without(Set<String> asked) {
    return new Duplicates(
        total,
        byKind,
        unexplained.stream().filter(pair -> !asked.contains(pair.second().eventId())).toList());
  }

  private static Optional<FaultWindow> cause(Copy before, Copy copy, List<FaultWindow> faults) {
    long from = before.atMillis() - CLAIM_TO_ARRIVAL.toMillis();
    long until = Math.min(before.atMillis() + ARRIVAL_TO_MARK.toMillis(), copy.atMillis());
    return faults.stream()
        .filter(fault -> fault.overlaps(from, until))
        .max((one, other) -> Long.compare(one.startMillis(), other.startMillis()));
  }
}
