package io.waybill.examples.eventoutbox;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What a plain consumer finds in a topic. */
final class Topic {
  private static final Duration POLL = Duration.ofMillis(500);

  private Topic() {}

  /** Ids of all events, copies included; waits for some number of them, then for no more. */
  static List<String> eventIds(String bootstrap, String topic, int atLeast, Duration patience) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      List<String> ids = new ArrayList<>();
      long end = System.nanoTime() + patience.toNanos();
      boolean more = true;
      while (more && System.nanoTime() < end) {
        int before = ids.size();
        consumer.poll(POLL).forEach(record -> ids.add(eventId(record)));
        more = ids.size() < atLeast || ids.size() > before;
      }
      return ids;
    }
  }

  private static String eventId(ConsumerRecord<byte[], byte[]> message) {
    return new String(
        message.headers().lastHeader("waybill-event-id").value(), StandardCharsets.UTF_8);
  }
}
