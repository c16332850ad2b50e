package io.waybill.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Records all messages of a topic, each once, however often the broker restarts. */
final class KafkaCopies {
  private static final Duration POLL = Duration.ofMillis(100);

  private final String servers;
  private final String topic;
  private final ReceivedLog log;

  KafkaCopies(String servers, String topic, ReceivedLog log) {
    this.servers = servers;
    this.topic = topic;
    this.log = log;
  }

  void run() throws IOException {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            servers,
            "auto.offset.reset",
            "earliest",
            "enable.auto.commit",
            false,
            "reconnect.backoff.max.ms",
            500);
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
      while (!Thread.currentThread().isInterrupted()) {
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
          log.add(eventId(message), message.value());
        }
        log.flush();
      }
    }
  }

  private static String eventId(ConsumerRecord<byte[], byte[]> message) {
    Header id = message.headers().lastHeader("waybill-event-id");
    return id == null ? "none" : new String(id.value(), StandardCharsets.UTF_8);
  }
}
