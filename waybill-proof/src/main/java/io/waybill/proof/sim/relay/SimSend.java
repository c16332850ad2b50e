package io.waybill.proof.sim.relay;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import org.jspecify.annotations.Nullable;

/** One send, from the relay's hand to its outcome. */
final class SimSend {
  enum Outcome {
    NONE,
    CONFIRMED,
    REJECTED,
    /** By its destination, and no copy is stored. */
    REFUSED,
    /** It never left the process. */
    NOT_SENT,
    UNKNOWN
  }

  final SimRow row;
  final Outgoing message;
  final Tenure tenure;
  final boolean replay;
  final boolean deadLetter;
  // How many looks at operators' requests had been taken in.
  long look;
  // As the broker's side knows it.
  boolean stored;
  // Will never be stored.
  boolean killed;
  // Unroutable; the acknowledgement is to follow.
  boolean returned;
  boolean reported;
  // As the publisher reported it.
  @Nullable Confirmation answer;
  // As the engine was told.
  Outcome told = Outcome.NONE;

  SimSend(SimRow row, Outgoing message, Tenure tenure, boolean deadLetter) {
    this.row = row;
    this.message = message;
    this.tenure = tenure;
    this.deadLetter = deadLetter;
    this.replay =
        message.headers().stream().anyMatch(header -> header.name().equals(SimMapper.REPLAY));
  }

  /** Where it really goes. */
  String destination() {
    return deadLetter ? Swarm.DEAD_LETTERS : row.destination;
  }

  @Override
  public String toString() {
    return "send "
        + message.sendId()
        + " of row "
        + row.id
        + " to "
        + destination()
        + " by "
        + tenure.relay
        + "/"
        + tenure.fence()
        + (replay ? " (replay)" : "")
        + (deadLetter ? " (dead letter)" : "");
  }
}
