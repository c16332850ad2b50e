package io.waybill.proof.crash;

import io.waybill.broker.Confirmation;
import io.waybill.broker.ForwardingPublisher;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;

/** A publisher that reaches the steps of a crash. As thread-safe as the one that it decorates. */
public final class CrashingPublisher extends ForwardingPublisher {
  private final Crash crash;
  private volatile boolean burst;

  /**
   * Decorates.
   *
   * @param publisher the real publisher
   * @param crash told of every step
   */
  public CrashingPublisher(Publisher publisher, Crash crash) {
    super(publisher);
    this.crash = crash;
  }

  @Override
  protected void outcome(Confirmation confirmation, PublisherListener listener) {
    if (!(confirmation instanceof Confirmation.Confirmed)) {
      super.outcome(confirmation, listener);
      if (confirmation instanceof Confirmation.Rejected) {
        crash.settled(1);
      }
      return;
    }
    crash.reached(CrashStep.BEFORE_CONFIRM);
    super.outcome(confirmation, listener);
    crash.reached(CrashStep.AFTER_CONFIRM);
  }

  @Override
  public void send(Outgoing message) {
    crash.reached(CrashStep.BEFORE_SEND);
    crash.sending();
    burst = true;
    super.send(message);
    crash.reached(CrashStep.AFTER_SEND);
  }

  @Override
  public void flush() {
    super.flush();
    if (burst) {
      burst = false;
      crash.reached(CrashStep.AFTER_FLUSH);
    }
  }
}
