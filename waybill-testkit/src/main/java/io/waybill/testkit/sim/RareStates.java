package io.waybill.testkit.sim;

import java.util.EnumMap;
import java.util.Map;

/** How often each rare state was reached. */
final class RareStates {
  private final Map<RareState, Long> counts = new EnumMap<>(RareState.class);

  void reached(RareState state) {
    counts.merge(state, 1L, Long::sum);
  }

  long count(RareState state) {
    return counts.getOrDefault(state, 0L);
  }

  void add(RareStates other) {
    other.counts.forEach((state, count) -> counts.merge(state, count, Long::sum));
  }
}
