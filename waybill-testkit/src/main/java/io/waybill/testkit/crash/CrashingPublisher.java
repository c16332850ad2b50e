package io.waybill.testkit.crash;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import java.time.Duration;

/** A publisher that reaches the steps of a crash. As thread-safe as the one that it decorates. */
public final class CrashingPublisher implements Publisher {
  private final Publisher publisher;
  private final Crash crash;
  private volatile boolean burst;

  /**
   * Decorates.
   *
   * @param publisher the real publisher
   * @param crash told of every step
   */
  public CrashingPublisher(Publisher publisher, Crash crash) {
    this.publisher = publisher;
    this.crash = crash;
  }

  @Override
  public void start(PublisherListener listener) {
    publisher.start(
        new PublisherListener() {
          @Override
          public void onConfirmation(Confirmation confirmation) {
            confirmed(listener, confirmation);
          }

          @Override
          public void unavailable(String reason) {
            listener.unavailable(reason);
          }

          @Override
          public void available() {
            listener.available();
          }
        });
  }

  private void confirmed(PublisherListener listener, Confirmation confirmation) {
    if (!(confirmation instanceof Confirmation.Confirmed)) {
      listener.onConfirmation(confirmation);
      if (confirmation instanceof Confirmation.Rejected) {
        crash.settled(1);
      }
      return;
    }
    crash.reached(CrashStep.BEFORE_CONFIRM);
    listener.onConfirmation(confirmation);
    crash.reached(CrashStep.AFTER_CONFIRM);
  }

  @Override
  public void send(Outgoing message) {
    crash.reached(CrashStep.BEFORE_SEND);
    crash.sending();
    burst = true;
    publisher.send(message);
    crash.reached(CrashStep.AFTER_SEND);
  }

  @Override
  public void flush() {
    publisher.flush();
    if (burst) {
      burst = false;
      crash.reached(CrashStep.AFTER_FLUSH);
    }
  }

  @Override
  public int maxInFlightPerKey() {
    return publisher.maxInFlightPerKey();
  }

  @Override
  public Duration deliveryTimeout() {
    return publisher.deliveryTimeout();
  }

  @Override
  public void close() {
    publisher.close();
  }
}
