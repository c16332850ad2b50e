package io.waybill.proof.sim.inbox;

import io.waybill.broker.Reach;
import java.util.BitSet;

/** One member's time with a lane, and the member's own knowledge of it. */
final class InboxAssignment {
  final InboxLane lane;
  final InboxProcess process;
  // At the broker: what it acknowledges counts.
  boolean active = true;
  boolean delivering = true;
  boolean held;
  int began;
  int next;
  int againBelow;
  final BitSet out = new BitSet();
  final BitSet done = new BitSet();
  // The member has yet to hear that it is lost.
  boolean unheard;
  // The revocation that waits for it, 0 for none.
  long revocation;

  InboxAssignment(InboxLane lane, InboxProcess process) {
    this.lane = lane;
    this.process = process;
  }

  /** How far it is, as the member knows. */
  Reach reach() {
    return new Reach(began, done.nextClearBit(began), next);
  }
}
