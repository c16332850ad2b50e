package io.waybill.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Records all messages of a topic, each once, however often the broker restarts; of a topic that
 * takes the place of a deleted one from its beginning.
 */
final class KafkaCopies {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long LOOK_NANOS = Duration.ofMillis(200).toNanos();

  private final String servers;
  private final String topic;
  private final ReceivedLog log;
  private Uuid known = Uuid.ZERO_UUID;
  private long looked = System.nanoTime() - LOOK_NANOS - 1;

  KafkaCopies(String servers, String topic, ReceivedLog log) {
    this.servers = servers;
    this.topic = topic;
    this.log = log;
  }

  void run() throws IOException, InterruptedException {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            servers,
            "auto.offset.reset",
            "earliest",
            "enable.auto.commit",
            false,
            "allow.auto.create.topics",
            false,
            "reconnect.backoff.max.ms",
            500);
    try (Consumer<byte[], byte[]> consumer =
            new KafkaConsumer<>(
                settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      while (!Thread.currentThread().isInterrupted()) {
        if (System.nanoTime() - looked > LOOK_NANOS) {
          look(admin, consumer);
        }
        if (consumer.assignment().isEmpty()) {
          Thread.sleep(POLL.toMillis());
        } else {
          record(consumer.poll(POLL));
        }
      }
    }
  }

  private void record(Iterable<ConsumerRecord<byte[], byte[]>> messages) throws IOException {
    for (ConsumerRecord<byte[], byte[]> message : messages) {
      log.add(eventId(message), message.value());
    }
    log.flush();
  }

  /** Another topic of the same name begins anew, but the client would go on where it was. */
  private void look(Admin admin, Consumer<byte[], byte[]> consumer) throws InterruptedException {
    looked = System.nanoTime();
    try {
      TopicDescription found =
          Objects.requireNonNull(admin.describeTopics(List.of(topic)).topicNameValues().get(topic))
              .get(500, TimeUnit.MILLISECONDS);
      if (!found.topicId().equals(known)) {
        known = found.topicId();
        consumer.assign(
            found.partitions().stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList());
        consumer.seekToBeginning(consumer.assignment());
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        known = Uuid.ZERO_UUID;
        consumer.assign(List.of());
      }
    } catch (TimeoutException e) {
      // The broker is away, and with it nothing has changed.
    }
  }

  private static String eventId(ConsumerRecord<byte[], byte[]> message) {
    Header id = message.headers().lastHeader("waybill-event-id");
    return id == null ? "none" : new String(id.value(), StandardCharsets.UTF_8);
  }
}
