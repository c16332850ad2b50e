package io.waybill.server.command;

import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;

/** What has arrived on a topic. */
final class Arrivals {
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(90));

  private Arrivals() {}

  /** Waits for a number of records, from the topic's beginning. */
  static List<ConsumerRecord<String, String>> await(KafkaServer kafka, String topic, int count) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "group.id",
            "g" + System.nanoTime(),
            "auto.offset.reset",
            "earliest",
            "metadata.max.age.ms",
            500,
            "key.deserializer",
            StringDeserializer.class,
            "value.deserializer",
            StringDeserializer.class);
    List<ConsumerRecord<String, String>> records = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings)) {
      consumer.subscribe(List.of(topic));
      Awaitility.await()
          .atMost(LIMIT)
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
                return records.size() >= count;
              });
    }
    return records;
  }
}
