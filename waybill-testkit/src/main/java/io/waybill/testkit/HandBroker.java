package io.waybill.testkit;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Delivers what a test hands it, on one lane, and takes every dead letter. */
final class HandBroker implements Subscriber, Publisher {
  static final String TYPE = "counted";

  final List<String> acknowledged = new CopyOnWriteArrayList<>();
  final List<Outgoing> letters = new CopyOnWriteArrayList<>();
  private @Nullable SubscriberListener deliveries;
  private @Nullable PublisherListener outcomes;

  /** Delivers events at once; the first letter of an id is its key. */
  void deliver(List<String> ids) {
    List<Delivery> delivered = new ArrayList<>();
    for (String id : ids) {
      Map<String, String> headers = Map.of("waybill-event-id", id, "waybill-event-type", TYPE);
      delivered.add(
          new Delivery(
              "orders",
              "orders-0",
              delivered.size(),
              id.substring(0, 1).getBytes(StandardCharsets.UTF_8),
              new byte[] {'{', '}'},
              Headers.of(headers),
              0,
              false,
              0,
              "token"));
    }
    Objects.requireNonNull(deliveries, "started").delivered(delivered);
  }

  @Override
  public void start(SubscriberListener listener) {
    deliveries = listener;
  }

  @Override
  public void start(PublisherListener listener) {
    outcomes = listener;
  }

  @Override
  public void acknowledge(List<Delivery> done) {
    done.forEach(d -> acknowledged.add(String.valueOf(d.headers().get("waybill-event-id"))));
  }

  @Override
  public void giveBack(List<Delivery> back) {}

  @Override
  public void hold(String lane, boolean held) {}

  @Override
  public void stop() {}

  @Override
  public void send(Outgoing message) {
    letters.add(message);
    Objects.requireNonNull(outcomes, "started")
        .onConfirmation(new Confirmation.Confirmed(message.sendId()));
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
}
