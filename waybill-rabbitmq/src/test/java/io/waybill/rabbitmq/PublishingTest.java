package io.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.GetResponse;
import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.PublisherRecorder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;

/** A publisher at the broker that its tests share, which ends with the JVM. */
abstract class PublishingTest {
  static final RabbitServer server = RabbitServer.launch();

  final PublisherRecorder recorder = new PublisherRecorder();
  RabbitPublisher publisher = new RabbitPublisher(RabbitPublisherConfig.builder().build());
  long nextId = 1;

  @AfterEach
  void close() {
    publisher.close();
    assertThat(recorder.repeated()).isEmpty();
  }

  void start(RabbitPublisherConfigBuilder config) {
    publisher = new RabbitPublisher(config.build());
    publisher.start(recorder);
  }

  long send(Destination to, String key, int size) {
    Outgoing message = message(to, key, size, "event-" + nextId);
    publisher.send(message);
    return message.sendId();
  }

  Outgoing message(Destination to, String key, int size, String eventId) {
    byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
    byte[] body = new byte[size];
    return new Outgoing(
        nextId++, to, keyBytes, body, "text/plain", eventId, "Tested", 1000, List.of());
  }

  long confirmOne(Destination to) {
    long id = send(to, "one", 10);
    awaitOutcomes(id, id);
    assertThat(recorder.outcome(id)).isEqualTo(new Confirmation.Confirmed(id));
    return id;
  }

  void awaitOutcomes(long first, long last) {
    Awaitility.await()
        .atMost(publisher.deliveryTimeout().plusSeconds(5))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> LongStream.rangeClosed(first, last).allMatch(this::hasOutcome));
  }

  boolean hasOutcome(long id) {
    return recorder.outcome(id) != null;
  }

  static Set<String> eventIds(List<GetResponse> messages) {
    Set<String> ids = new HashSet<>();
    messages.forEach(message -> ids.add(message.getProps().getMessageId()));
    return ids;
  }
}
