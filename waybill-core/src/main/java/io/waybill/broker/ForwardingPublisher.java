package io.waybill.broker;

import java.time.Duration;
import java.util.Objects;

/**
 * A publisher that hands everything on to another one; a subclass overrides what it adds to. As
 * thread-safe as the one behind it.
 */
public abstract class ForwardingPublisher implements Publisher {
  private final Publisher publisher;

  /**
   * Forwards.
   *
   * @param publisher the publisher behind this one
   */
  protected ForwardingPublisher(Publisher publisher) {
    this.publisher = Objects.requireNonNull(publisher, "publisher");
  }

  /**
   * Hands an outcome on to the listener. Called on the threads of the publisher behind this one.
   *
   * @param confirmation what became of a send
   * @param listener the listener of this publisher
   */
  protected void outcome(Confirmation confirmation, PublisherListener listener) {
    listener.onConfirmation(confirmation);
  }

  @Override
  public void start(PublisherListener listener) {
    publisher.start(
        new PublisherListener() {
          @Override
          public void onConfirmation(Confirmation confirmation) {
            outcome(confirmation, listener);
          }

          @Override
          public void unavailable(String reason) {
            listener.unavailable(reason);
          }

          @Override
          public void available() {
            listener.available();
          }

          @Override
          public void failed(Throwable cause) {
            listener.failed(cause);
          }
        });
  }

  @Override
  public void send(Outgoing message) {
    publisher.send(message);
  }

  @Override
  public void flush() {
    publisher.flush();
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
  public String toString() {
    return publisher.toString();
  }

  @Override
  public void close() {
    publisher.close();
  }
}
