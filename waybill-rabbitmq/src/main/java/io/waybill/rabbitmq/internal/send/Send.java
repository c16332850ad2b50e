package io.waybill.rabbitmq.internal.send;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import org.jspecify.annotations.Nullable;

/**
 * One accepted message on its way to an outcome. Guarded by the lock of its {@link PublishWindow}.
 */
final class Send {
  private final Outgoing message;
  private final long deadline;
  private Confirmation.@Nullable Refused refusal;
  private boolean doubtful;
  private boolean reported;

  /**
   * Creates one.
   *
   * @param message the message
   * @param deadline {@link System#nanoTime()} at which its outcome becomes unknown
   */
  Send(Outgoing message, long deadline) {
    this.message = message;
    this.deadline = deadline;
  }

  Outgoing message() {
    return message;
  }

  Destination destination() {
    return message.destination();
  }

  String exchange() {
    return message.destination().target();
  }

  boolean isLate(long now) {
    return now - deadline >= 0;
  }

  /** Whether it was offered before that time. */
  boolean isOlderThan(long time, long timeLimit) {
    return time - (deadline - timeLimit) > 0;
  }

  boolean isReported() {
    return reported;
  }

  /** Whether a return may still be about this send. */
  boolean canBeReturned() {
    return refusal == null && !reported;
  }

  void returned(Confirmation.Refused reason) {
    refusal = reason;
  }

  /** A return came that may or may not have been about this send. */
  void doubt() {
    doubtful = true;
  }

  /** The outcome once the broker acknowledged: a returned message is acknowledged as well. */
  Confirmation acknowledged() {
    if (refusal != null) {
      return refusal;
    }
    return doubtful
        ? Outcomes.unknown(this, "ambiguous-return", "one of several equal messages was returned")
        : new Confirmation.Confirmed(message.sendId());
  }

  /** The outcome when no acknowledgement will come: a return alone is definite. */
  Confirmation lost(String reason, String detail) {
    return refusal != null ? refusal : Outcomes.unknown(this, reason, detail);
  }

  /** The outcome when the broker was silent for too long. */
  Confirmation late() {
    return lost("delivery-timeout", "no answer from the broker within the delivery timeout");
  }

  /** The outcome when the publisher ends first. */
  Confirmation closed() {
    return lost("publisher-closed", "the publisher was closed");
  }

  /**
   * Marks the outcome as told.
   *
   * @return whether this is the first time
   */
  boolean report() {
    boolean first = !reported;
    reported = true;
    return first;
  }
}
