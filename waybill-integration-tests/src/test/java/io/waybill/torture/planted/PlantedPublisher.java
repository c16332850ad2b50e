package io.waybill.torture.planted;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A publisher with a bug. As thread-safe as the one that it decorates. */
public final class PlantedPublisher implements Publisher {
  private final Publisher publisher;
  private final Behaviour bug;
  private volatile @Nullable PublisherListener engine;

  /**
   * Decorates.
   *
   * @param publisher the real publisher
   * @param bug what it does wrong
   */
  public PlantedPublisher(Publisher publisher, PlantedBug bug) {
    this.publisher = publisher;
    this.bug = bug.behaviour();
  }

  @Override
  public void start(PublisherListener listener) {
    engine = listener;
    publisher.start(
        new PublisherListener() {
          @Override
          public void onConfirmation(Confirmation confirmation) {
            bug.outcome(confirmation, listener::onConfirmation);
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

  @Override
  public void send(Outgoing message) {
    PublisherListener listener = engine;
    if (listener != null) {
      bug.sent(message, listener::onConfirmation);
    }
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
  public void close() {
    publisher.close();
  }
}
