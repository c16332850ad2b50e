package io.waybill.testkit;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Delivery;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.broker.Subscriber;
import io.waybill.broker.SubscriberListener;
import io.waybill.internal.encode.RedriveMarks;
import io.waybill.message.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Delivers what a test hands it, on one lane, and takes every dead letter. */
final class HandBroker implements Subscriber, Publisher {
  static final String TYPE = "counted";
  private static final String LANE = "orders-0";

  final List<String> acknowledged = new CopyOnWriteArrayList<>();
  final List<Outgoing> letters = new CopyOnWriteArrayList<>();
  // Letters are stored, and their confirmations never come.
  volatile boolean silent;
  private @Nullable SubscriberListener deliveries;
  private @Nullable PublisherListener outcomes;

  /** Delivers events at once; the first letter of an id is its key. */
  void deliver(List<String> ids) {
    deliver(ids, false);
  }

  /** Delivers events that may have been delivered before. */
  void deliverAgain(List<String> ids) {
    deliver(ids, true);
  }

  private void deliver(List<String> ids, boolean again) {
    List<Delivery> delivered = new ArrayList<>();
    ids.forEach(id -> delivered.add(delivery(id, delivered.size(), Map.of(), again)));
    Objects.requireNonNull(deliveries, "started").delivered(delivered);
  }

  /** Delivers what an operator has sent again for a consumer. */
  void deliverRedriven(String id, String consumer) {
    deliverMarked(id, 1, consumer, id);
  }

  /** Delivers an event with the marks of one that an operator has sent again. */
  void deliverMarked(String id, int times, String consumer, String event) {
    Map<String, String> marks =
        Map.of(
            RedriveMarks.TIMES,
            Integer.toString(times),
            RedriveMarks.CONSUMER,
            consumer,
            RedriveMarks.EVENT,
            event);
    Objects.requireNonNull(deliveries, "started").delivered(List.of(delivery(id, 0, marks, false)));
  }

  private static Delivery delivery(
      String id, long position, Map<String, String> more, boolean again) {
    Map<String, String> headers = new HashMap<>(more);
    headers.put("waybill-event-id", id);
    headers.put("waybill-event-type", TYPE);
    return new Delivery(
        "orders",
        LANE,
        position,
        id.substring(0, 1).getBytes(StandardCharsets.UTF_8),
        new byte[] {'{', '}'},
        Headers.of(headers),
        0,
        again,
        0,
        "token");
  }

  /** The lane goes to somebody else; returns when what is handled of it has ended. */
  void revoke() {
    Objects.requireNonNull(deliveries, "started").revoked(Set.of(LANE), false);
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
  public void release(List<Delivery> back) {}

  @Override
  public void pause(String lane) {}

  @Override
  public void resume(String lane) {}

  @Override
  public void stop() {}

  @Override
  public void send(Outgoing message) {
    letters.add(message);
    if (!silent) {
      Objects.requireNonNull(outcomes, "started")
          .onConfirmation(new Confirmation.Confirmed(message.sendId()));
    }
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
