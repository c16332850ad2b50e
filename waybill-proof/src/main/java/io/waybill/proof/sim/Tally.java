package io.waybill.proof.sim;

import java.util.EnumMap;
import java.util.Map;

/** How often each of some things happened. */
final class Tally<E extends Enum<E>> {
  private final Class<E> kind;
  private final Map<E, Long> counts;

  Tally(Class<E> kind) {
    this.kind = kind;
    this.counts = new EnumMap<>(kind);
  }

  /** Every thing that is counted. */
  E[] things() {
    return kind.getEnumConstants();
  }

  void count(E thing) {
    counts.merge(thing, 1L, Long::sum);
  }

  long of(E thing) {
    return counts.getOrDefault(thing, 0L);
  }

  long sum() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  void add(Tally<E> other) {
    other.counts.forEach((thing, count) -> counts.merge(thing, count, Long::sum));
  }
}
