package io.waybill.broker;

import java.time.Duration;
import java.util.Objects;

/**
 * A publisher that forwards every call to another publisher. Subclasses override the methods that
 * they extend. As thread-safe as the other publisher.
 */
public abstract class ForwardingPublisher implements Publisher {
  private final Publisher publisher;

  /**
   * Creates a publisher that forwards.
   *
   * @param publisher the other publisher
   */
  protected ForwardingPublisher(Publisher publisher) {
    this.publisher = Objects.requireNonNull(publisher, "publisher");
  }

  /**
   * Forwards an outcome to the listener. Called on the other publisher's threads.
   *
   * @param confirmation the outcome of a send
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
