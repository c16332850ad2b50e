package io.waybill.proof.sim;

/** What one run, or a suite of runs, went through. */
final class Tallies {
  final Tally<RareState> states = new Tally<>(RareState.class);
  final Tally<Fault> faults = new Tally<>(Fault.class);

  void add(Tallies other) {
    states.add(other.states);
    faults.add(other.faults);
  }
}
