package io.waybill.inbox;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Delivery;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.broker.Subscriber;
import io.waybill.broker.SubscriberListener;
import io.waybill.message.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Both sides of a broker in memory, for tests of what stands between them. */
public final class MemoryBroker implements Subscriber {
  public static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  public final List<String> acknowledged = new CopyOnWriteArrayList<>();
  public final List<String> givenBack = new CopyOnWriteArrayList<>();
  public final List<Outgoing> letters = new CopyOnWriteArrayList<>();

  /** So many sends of letters fail, as those of a broken client do. */
  public final AtomicInteger failingSends = new AtomicInteger();

  /** So many acknowledgements fail, as those of a subscriber with a mistake do. */
  public final AtomicInteger failingAcknowledgements = new AtomicInteger();

  // Those that ran when the publisher of dead letters was started.
  public final List<String> threadsAtStart = new CopyOnWriteArrayList<>();
  public volatile boolean stopped;
  public volatile Supplier<Map<String, Duration>> retention = Map::of;
  public volatile Supplier<Map<String, Long>> lag = () -> Map.of("orders-0", 7L);
  private @Nullable SubscriberListener listener;
  private @Nullable PublisherListener letterListener;
  private int position;

  public SubscriberListener listener() {
    return Objects.requireNonNull(listener, "started");
  }

  public PublisherListener letterListener() {
    return Objects.requireNonNull(letterListener, "started");
  }

  public void deliver(String type, String... names) {
    for (String name : names) {
      Map<String, String> headers = new LinkedHashMap<>();
      headers.put("waybill-event-id", name);
      headers.put("waybill-event-type", type);
      headers.put("traceparent", TRACE);
      listener()
          .delivered(
              List.of(
                  new Delivery(
                      "orders",
                      "orders-0",
                      position++,
                      name.substring(0, 1).getBytes(StandardCharsets.UTF_8),
                      "{\"a\":1}".getBytes(StandardCharsets.UTF_8),
                      Headers.of(headers),
                      0,
                      false,
                      0,
                      "token")));
    }
  }

  private static String name(Delivery delivery) {
    return String.valueOf(delivery.headers().get("waybill-event-id"));
  }

  @Override
  public void start(SubscriberListener told) {
    listener = told;
  }

  @Override
  public void acknowledge(List<Delivery> deliveries) {
    if (failingAcknowledgements.getAndDecrement() > 0) {
      throw new IllegalStateException("a mistake of the subscriber");
    }
    deliveries.forEach(delivery -> acknowledged.add(name(delivery)));
  }

  @Override
  public void release(List<Delivery> deliveries) {
    deliveries.forEach(delivery -> givenBack.add(name(delivery)));
  }

  @Override
  public void pause(String lane) {}

  @Override
  public void resume(String lane) {}

  @Override
  public Map<String, Long> lag() {
    return lag.get();
  }

  @Override
  public Map<String, Duration> retention() {
    return retention.get();
  }

  @Override
  public void stop() {
    stopped = true;
  }

  @Override
  public void close() {}

  /** Takes every dead letter. */
  public Publisher publisher() {
    return new Publisher() {
      @Override
      public void start(PublisherListener publisherListener) {
        letterListener = publisherListener;
        Thread.getAllStackTraces().keySet().stream()
            .map(Thread::getName)
            .forEach(threadsAtStart::add);
      }

      @Override
      public void send(Outgoing message) {
        if (failingSends.getAndDecrement() > 0) {
          throw new IllegalStateException("the client is closed");
        }
        letters.add(message);
        letterListener().onConfirmation(new Confirmation.Confirmed(message.sendId()));
      }

      @Override
      public int maxInFlightPerKey() {
        return 1;
      }

      @Override
      public Duration deliveryTimeout() {
        return Duration.ofSeconds(1);
      }

      @Override
      public void close() {}
    };
  }
}
