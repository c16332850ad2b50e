package io.waybill.proof.oracle;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * A plain consumer that keeps every message of some topics from their beginning on, duplicates
 * included, in the order of arrival. Uses a thread of its own; methods may be called by any thread.
 */
public final class KafkaTail implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<KafkaMessage> messages = new ArrayList<>();
  private final Thread thread;

  /**
   * Starts reading.
   *
   * @param bootstrap bootstrap servers
   * @param topics topics, which exist
   */
  public KafkaTail(String bootstrap, List<String> topics) {
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap, "auto.offset.reset", "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(
        topics.stream()
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
            .toList());
    consumer.seekToBeginning(consumer.assignment());
    thread = new Thread(this::run, "kafka-tail");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * What has arrived so far.
   *
   * @return a snapshot
   */
  public List<KafkaMessage> messages() {
    synchronized (messages) {
      return List.copyOf(messages);
    }
  }

  /**
   * How many have arrived so far.
   *
   * @return number of messages
   */
  public int count() {
    synchronized (messages) {
      return messages.size();
    }
  }

  private void run() {
    try (consumer) {
      while (!Thread.currentThread().isInterrupted()) {
        consumer.poll(POLL).forEach(this::add);
      }
    } catch (WakeupException e) {
      Thread.currentThread().interrupt(); // Closing.
    }
  }

  private void add(ConsumerRecord<byte[], byte[]> received) {
    Map<String, String> headers = new HashMap<>();
    received.headers().forEach(header -> headers.put(header.key(), text(header.value())));
    byte[] key = received.key();
    KafkaMessage message =
        new KafkaMessage(
            received.topic(), key == null ? null : text(key), text(received.value()), headers);
    synchronized (messages) {
      messages.add(message);
    }
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    consumer.wakeup();
    try {
      thread.join(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
