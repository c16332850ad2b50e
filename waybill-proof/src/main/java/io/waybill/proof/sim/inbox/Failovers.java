package io.waybill.proof.sim.inbox;

/** The database fails over wherever it may. */
class Failovers extends InboxMutation {
  @Override
  double failoverShare() {
    return 1;
  }
}
