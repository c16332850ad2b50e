package io.waybill.testkit;

import io.waybill.broker.Broker;
import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.observe.Finding;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A broker in the memory of a test. It has every destination, and confirms each message as soon as
 * it is sent. Thread-safe.
 */
public final class InMemoryBroker implements Broker {
  private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(1);

  private final Transport transport;
  private final List<Outgoing> published = new CopyOnWriteArrayList<>();

  /**
   * Creates a broker without messages.
   *
   * @param transport the broker that it stands for, which determines routes and formats
   */
  public InMemoryBroker(Transport transport) {
    this.transport = transport;
  }

  /**
   * What publishers have sent.
   *
   * @return all messages, in the order of their sends
   */
  public List<Outgoing> published() {
    return List.copyOf(published);
  }

  /** Forgets what publishers have sent. */
  public void clear() {
    published.clear();
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public Duration deliveryTimeout() {
    return DELIVERY_TIMEOUT;
  }

  @Override
  public List<Finding> check(List<Destination> destinations) {
    return List.of();
  }

  @Override
  public Publisher publisher() {
    return new Confirming();
  }

  /** Stores each message and confirms it, in the thread that sends it. */
  private final class Confirming implements Publisher {
    private volatile @Nullable PublisherListener listener;

    @Override
    public void start(PublisherListener receiver) {
      listener = receiver;
      receiver.available();
    }

    @Override
    public void send(Outgoing message) {
      PublisherListener receiver = listener;
      if (receiver == null) {
        throw new IllegalStateException("the publisher was not started");
      }
      published.add(message);
      receiver.onConfirmation(new Confirmation.Confirmed(message.sendId()));
    }

    @Override
    public int maxInFlightPerKey() {
      return 1;
    }

    @Override
    public Duration deliveryTimeout() {
      return DELIVERY_TIMEOUT;
    }

    @Override
    public String toString() {
      return "a broker in memory";
    }

    @Override
    public void close() {}
  }
}
