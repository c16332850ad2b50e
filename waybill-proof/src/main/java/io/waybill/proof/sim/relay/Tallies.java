package io.waybill.proof.sim.relay;

import io.waybill.proof.sim.seed.Tally;

/** What one run, or a suite of runs, went through. */
public final class Tallies {
  final Tally<RareState> states = new Tally<>(RareState.class);
  final Tally<Fault> faults = new Tally<>(Fault.class);

  /** Nothing has happened yet. */
  public Tallies() {}

  /** States that are rarely reached. */
  public Tally<?> states() {
    return states;
  }

  /** Faults that were injected. */
  public Tally<?> faults() {
    return faults;
  }

  /** Adds what others went through. */
  public void add(Tallies other) {
    states.add(other.states);
    faults.add(other.faults);
  }
}
