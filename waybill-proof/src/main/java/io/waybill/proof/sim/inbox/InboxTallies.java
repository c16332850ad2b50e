package io.waybill.proof.sim.inbox;

import io.waybill.proof.sim.seed.Tally;

/** What one run of inboxes, or a suite of runs, went through. */
public final class InboxTallies {
  final Tally<InboxRare> states = new Tally<>(InboxRare.class);
  final Tally<InboxFault> faults = new Tally<>(InboxFault.class);

  /** Nothing has happened yet. */
  public InboxTallies() {}

  /** States that are rarely reached. */
  public Tally<?> states() {
    return states;
  }

  /** Faults that were injected. */
  public Tally<?> faults() {
    return faults;
  }

  /** Adds what others went through. */
  public void add(InboxTallies other) {
    states.add(other.states);
    faults.add(other.faults);
  }
}
