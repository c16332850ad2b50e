package io.waybill.bench.wire;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A consumer in each thread, all of one group, that commits after each poll. */
final class KafkaConsumers implements Consumers {
  private static final Duration POLL = Duration.ofMillis(100);

  private final Map<String, Object> settings;
  private final String topic;
  private final Effects effects;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean running = true;

  KafkaConsumers(String address, String topic, int count, Effects effects) {
    this.settings =
        Map.of(
            "bootstrap.servers",
            address,
            "group.id",
            "plain",
            "auto.offset.reset",
            "earliest",
            "enable.auto.commit",
            false);
    this.topic = topic;
    this.effects = effects;
    for (int i = 1; i <= count; i++) {
      Thread thread = new Thread(this::consume, "consumer-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  private void consume() {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      Effect effect = effects.open();
      consumer.subscribe(List.of(topic));
      while (running) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
        for (ConsumerRecord<byte[], byte[]> message : records) {
          effect.apply(message.value());
        }
        if (!records.isEmpty()) {
          consumer.commitSync();
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException("A consumer failed", e);
    }
  }

  @Override
  public void close() {
    running = false;
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
