package io.waybill.kafka.internal.consume;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Delivery;
import io.waybill.kafka.KafkaContractSource;
import io.waybill.kafka.SubscriberBroker;
import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the client of the newer group protocol may say at any time. */
@Tag("server")
class KafkaReadingTest {
  private final KafkaServer server = SubscriberBroker.SERVER;
  private final List<String> bodies = new ArrayList<>();

  /** Keeps what is delivered. */
  private final class Kept implements ConsumerSession.Outlet {
    @Override
    public boolean isStopped() {
      return false;
    }

    @Override
    public void deliver(List<Delivery> deliveries) {
      deliveries.forEach(
          each -> bodies.add(new String(Objects.requireNonNull(each.body()), UTF_8)));
    }

    @Override
    public void revoked(Set<String> names, boolean lost) {}
  }

  private static List<String> numbers(int from, int to) {
    return IntStream.range(from, to).mapToObj(Integer::toString).toList();
  }

  private void readUntil(ConsumerSession reading, int count) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(30)))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> reading.step() && bodies.size() >= count);
  }

  private ReadSettings settings(String topic) {
    Map<String, Object> consumer =
        Map.of(
            "bootstrap.servers", server.bootstrapServers(),
            "group.id", "group-" + topic,
            "group.protocol", "consumer",
            "auto.offset.reset", "none",
            "enable.auto.commit", "false");
    return new ReadSettings(
        server.bootstrapServers(),
        "group-" + topic,
        List.of(topic),
        false,
        false,
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        consumer,
        Map.of());
  }

  /** It keeps the answer of a slow broker for a later poll. */
  @Test
  void thatThereIsNoPositionChangesNothingOnceReadingHasBegun() {
    String topic = "read-" + System.nanoTime();
    server.createTopic(topic, 1, Map.of());
    KafkaContractSource.publish(server, topic, null, numbers(0, 5));
    ReadSettings settings = settings(topic);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            settings.consumer(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      LaneTable lanes = new LaneTable(100, Long.MAX_VALUE);
      ConsumerSession reading =
          new ConsumerSession(settings, consumer, lanes, new TopicIds(), new Kept());
      reading.begin();
      readUntil(reading, 5);

      reading.first(consumer.assignment());
      KafkaContractSource.publish(server, topic, null, numbers(5, 8));
      readUntil(reading, 8);
      assertThat(bodies).containsExactlyElementsOf(numbers(0, 8));
    }
  }
}
