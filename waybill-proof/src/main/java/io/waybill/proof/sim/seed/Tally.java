package io.waybill.proof.sim.seed;

import java.util.EnumMap;
import java.util.Map;

/** How often each of some things happened. */
public final class Tally<E extends Enum<E>> {
  private final Class<E> kind;
  private final Map<E, Long> counts;

  /** Nothing has happened yet. */
  public Tally(Class<E> kind) {
    this.kind = kind;
    this.counts = new EnumMap<>(kind);
  }

  /** Every thing that is counted. */
  public E[] things() {
    return kind.getEnumConstants();
  }

  /** It has happened once more. */
  public void count(E thing) {
    counts.merge(thing, 1L, Long::sum);
  }

  /** How often it has happened. */
  public long of(E thing) {
    return counts.getOrDefault(thing, 0L);
  }

  /** How often all of them have happened. */
  public long sum() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Adds what another one has counted. */
  public void add(Tally<E> other) {
    other.counts.forEach((thing, count) -> counts.merge(thing, count, Long::sum));
  }
}
