package io.waybill.testkit.sim;

/** How often each rare state was reached. */
final class RareStates {
  private final long[] counts = new long[RareState.values().length];

  void reached(RareState state) {
    counts[state.ordinal()]++;
  }

  long count(RareState state) {
    return counts[state.ordinal()];
  }

  void add(RareStates other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
  }
}
