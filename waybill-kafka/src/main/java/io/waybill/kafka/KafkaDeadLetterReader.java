package io.waybill.kafka;

import io.waybill.broker.DeadLetterAccessException;
import io.waybill.broker.DeadLetterReader;
import io.waybill.broker.Delivery;
import io.waybill.kafka.internal.consume.Deliveries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads a dead-letter topic from its beginning to the end that it had when the reader was opened.
 * The reader joins no group and commits nothing; the dead letters stay in the topic.
 */
public final class KafkaDeadLetterReader implements DeadLetterReader {
  private static final Duration CALL = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final int MOST_IDLE_POLLS = 10;

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final String topic;
  private final Map<TopicPartition, Long> ends = new HashMap<>();

  private KafkaDeadLetterReader(KafkaConsumer<byte[], byte[]> consumer, String topic) {
    this.consumer = consumer;
    this.topic = topic;
  }

  /**
   * Opens a topic.
   *
   * @param config how to reach the broker
   * @param topic name of the dead-letter topic
   * @return reader, to be closed
   * @throws DeadLetterAccessException if the broker does not answer, or has no such topic
   */
  public static KafkaDeadLetterReader open(KafkaPublisherConfig config, String topic) {
    KafkaDeadLetterReader reader = null;
    boolean ready = false;
    try {
      reader = new KafkaDeadLetterReader(new KafkaConsumer<>(properties(config)), topic);
      reader.assign();
      ready = true;
      return reader;
    } catch (KafkaException e) {
      throw failure(topic, e);
    } finally {
      if (reader != null && !ready) {
        reader.close();
      }
    }
  }

  static Map<String, Object> properties(KafkaPublisherConfig config) {
    Map<String, Object> all = new HashMap<>();
    ClientProperties.admin(config)
        .forEach(
            (name, value) -> {
              if (ConsumerConfig.configNames().contains(name)) {
                all.put(name, value);
              }
            });
    all.put("default.api.timeout.ms", Long.toString(CALL.toMillis()));
    all.put("request.timeout.ms", Long.toString(CALL.toMillis()));
    all.put("allow.auto.create.topics", "false");
    all.put("enable.auto.commit", "false");
    all.put("auto.offset.reset", "earliest");
    all.put("key.deserializer", ByteArrayDeserializer.class);
    all.put("value.deserializer", ByteArrayDeserializer.class);
    return all;
  }

  private void assign() {
    List<PartitionInfo> partitions = consumer.partitionsFor(topic, CALL);
    if (partitions.isEmpty()) {
      throw new UnknownTopicOrPartitionException("the broker has no such topic");
    }
    List<TopicPartition> all =
        partitions.stream().map(each -> new TopicPartition(topic, each.partition())).toList();
    consumer.assign(all);
    consumer.seekToBeginning(all);
    ends.putAll(consumer.endOffsets(all, CALL));
  }

  private static DeadLetterAccessException failure(String topic, KafkaException e) {
    return new DeadLetterAccessException(
        "The dead letters of topic " + topic + " can't be read: " + e.getMessage(),
        e instanceof UnknownTopicOrPartitionException,
        e);
  }

  @Override
  public List<Delivery> next() {
    try {
      for (int polls = 0; polls < MOST_IDLE_POLLS && !isAtEnd(); polls++) {
        List<Delivery> deliveries = poll();
        if (!deliveries.isEmpty()) {
          return deliveries;
        }
      }
      if (!isAtEnd()) {
        throw new KafkaException("the broker sends nothing more before the end");
      }
      return List.of();
    } catch (KafkaException e) {
      throw failure(topic, e);
    }
  }

  private boolean isAtEnd() {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey(), CALL) >= end.getValue());
  }

  private List<Delivery> poll() {
    List<Delivery> deliveries = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
      TopicPartition lane = new TopicPartition(topic, message.partition());
      if (message.offset() < ends.getOrDefault(lane, 0L)) {
        deliveries.add(Deliveries.of(message, lane.toString(), false, message.offset()));
      }
    }
    return deliveries;
  }

  @Override
  public Optional<String> hazard() {
    return Optional.empty();
  }

  @Override
  public boolean keeps() {
    return true;
  }

  @Override
  public void remove(Delivery delivery) {
    // A log keeps what it has.
  }

  @Override
  public void close() {
    consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(1)));
  }
}
