package io.waybill.testkit.oracle;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads topics from their beginning, all partitions, without a group. */
public final class KafkaSpy extends Spy {
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final String idHeader;
  private final Thread thread;
  private volatile boolean running = true;

  /**
   * Starts reading; compares bodies.
   *
   * @param bootstrap bootstrap servers
   * @param topics topics, which exist
   * @param idHeader header that carries the event id
   */
  public KafkaSpy(String bootstrap, List<String> topics, String idHeader) {
    this(bootstrap, topics, idHeader, Fingerprint.OF_BODY);
  }

  /**
   * Starts reading.
   *
   * @param bootstrap bootstrap servers
   * @param topics topics, which exist
   * @param idHeader header that carries the event id
   * @param fingerprint what copies are compared by
   */
  public KafkaSpy(String bootstrap, List<String> topics, String idHeader, Fingerprint fingerprint) {
    super(fingerprint);
    this.idHeader = idHeader;
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap, "auto.offset.reset", "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(
        topics.stream()
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(KafkaSpy::of)
            .toList());
    consumer.seekToBeginning(consumer.assignment());
    thread = new Thread(this::run, "kafka-spy");
    thread.setDaemon(true);
    thread.start();
  }

  private static TopicPartition of(PartitionInfo info) {
    return new TopicPartition(info.topic(), info.partition());
  }

  private void run() {
    try (consumer) {
      while (running) {
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofMillis(200))) {
          saw(read(message));
        }
      }
    } catch (WakeupException e) {
      // Closing.
    }
  }

  private Message read(ConsumerRecord<byte[], byte[]> message) {
    Map<String, String> headers = new HashMap<>();
    message.headers().forEach(header -> headers.put(header.key(), text(header.value())));
    return new Message(
        headers.getOrDefault(idHeader, "no id"),
        message.key() == null ? "" : text(message.key()),
        headers,
        message.value(),
        message.timestamp());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    running = false;
    consumer.wakeup();
    try {
      thread.join(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
