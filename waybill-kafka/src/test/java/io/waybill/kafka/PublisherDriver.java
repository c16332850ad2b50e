package io.waybill.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.PublisherListener;
import io.waybill.kafka.internal.send.Clients;
import io.waybill.message.Destination;
import io.waybill.testkit.Patience;
import io.waybill.testkit.PublisherRecorder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Sends through a publisher and waits for outcomes. */
final class PublisherDriver implements AutoCloseable {
  final PublisherRecorder recorder = new PublisherRecorder();
  private final KafkaPublisher publisher;
  private long nextId = 1;

  PublisherDriver(KafkaPublisherConfig.Builder builder) {
    this(builder, RealClients::new, UnaryOperator.identity());
  }

  /** With clients and a listener that fail. */
  PublisherDriver(
      KafkaPublisherConfig.Builder builder,
      Function<KafkaPublisherConfig, Clients> clients,
      UnaryOperator<PublisherListener> listener) {
    KafkaPublisherConfig config =
        builder
            .deliveryTimeout(Duration.ofSeconds(3))
            .requestTimeout(Duration.ofSeconds(1))
            .build();
    publisher = new KafkaPublisher(config, clients.apply(config), Set.of(), false);
    publisher.start(listener.apply(recorder));
  }

  long send(String topic, @Nullable String key, String body) {
    return send(Destination.topic(topic), key, body.getBytes(UTF_8));
  }

  long send(Destination destination, @Nullable String key, byte[] body) {
    return send(destination, key, body, nextId);
  }

  long send(Destination destination, @Nullable String key, byte[] body, long createdMillis) {
    byte[] keyBytes = key == null ? null : key.getBytes(UTF_8);
    long id = nextId++;
    publisher.send(
        new Outgoing(
            id,
            destination,
            keyBytes,
            body,
            "text/plain",
            "e" + id,
            "Tested",
            createdMillis,
            List.of()));
    return id;
  }

  void flush() {
    publisher.flush();
  }

  Confirmation outcome(long id) {
    flush();
    Awaitility.await("outcome of send " + id)
        .atMost(publisher.deliveryTimeout().plusSeconds(10))
        .pollInterval(Duration.ofMillis(2))
        .pollDelay(Duration.ZERO)
        .until(() -> recorder.outcome(id) != null);
    flush();
    return Objects.requireNonNull(recorder.outcome(id));
  }

  boolean confirmed(String topic, String key, String body) {
    return outcome(send(topic, key, body)) instanceof Confirmation.Confirmed;
  }

  void untilConfirmed(String topic, String key, String body) {
    Awaitility.await("confirmed " + body)
        .atMost(Patience.of(Duration.ofMinutes(1)))
        .pollInterval(Duration.ofMillis(50))
        .pollDelay(Duration.ZERO)
        .until(() -> confirmed(topic, key, body));
  }

  @Override
  public void close() {
    publisher.close();
  }
}
