package io.waybill.proof.sim;

/** What one run of inboxes, or a suite of runs, went through. */
final class InboxTallies {
  final Tally<InboxRare> states = new Tally<>(InboxRare.class);
  final Tally<InboxFault> faults = new Tally<>(InboxFault.class);

  void add(InboxTallies other) {
    states.add(other.states);
    faults.add(other.faults);
  }
}
