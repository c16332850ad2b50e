package io.waybill.kafka;

import io.waybill.broker.DeadLetterAccessException;
import io.waybill.broker.DeadLetterReader;
import io.waybill.broker.Delivery;
import io.waybill.kafka.internal.consume.Deliveries;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a dead-letter topic from its beginning to the end that it had when the reader was opened.
 * The reader joins no group and commits nothing; the dead letters stay in the topic.
 */
public final class KafkaDeadLetterReader implements DeadLetterReader {
  private static final Duration CALL = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final int MOST_IDLE_POLLS = 10;
  private static final Pattern PLACE = Pattern.compile("(.+)-(\\d{1,9})@(\\d{1,18})");

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final String topic;
  private final Deque<Span> left = new ArrayDeque<>();
  private @Nullable Span current;

  /** What of a partition is to be read: from the first offset, to before the end. */
  private record Span(TopicPartition partition, long first, long end) {}

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
    return openAfter(config, topic, null);
  }

  /** The same from behind a letter, as {@code orders.dlt-0@15}. */
  static KafkaDeadLetterReader openAfter(
      KafkaPublisherConfig config, String topic, @Nullable String after) {
    Letter last = after == null ? new Letter(-1, -1) : Letter.of(topic, after);
    return open(
        config,
        topic,
        partition ->
            partition.partition() == last.partition()
                ? Long.valueOf(last.offset() + 1)
                : partition.partition() > last.partition() ? Long.valueOf(0) : null);
  }

  /** The same of some partitions from positions, by names like {@code orders.dlt-0}. */
  static KafkaDeadLetterReader open(
      KafkaPublisherConfig config, String topic, Map<String, Long> positions) {
    return open(config, topic, partition -> positions.get(partition.toString()));
  }

  private static KafkaDeadLetterReader open(
      KafkaPublisherConfig config, String topic, Starts starts) {
    KafkaDeadLetterReader reader = null;
    boolean ready = false;
    try {
      reader = new KafkaDeadLetterReader(new KafkaConsumer<>(properties(config)), topic);
      reader.find(starts);
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
    // Nobody waits for what is new; a consumer that is closed waits for its last question.
    all.put("fetch.max.wait.ms", "50");
    all.put("key.deserializer", ByteArrayDeserializer.class);
    all.put("value.deserializer", ByteArrayDeserializer.class);
    return all;
  }

  /** Where to begin in a partition; null where it is not read. */
  private interface Starts {
    @Nullable Long of(TopicPartition partition);
  }

  /** Where a letter lies. */
  private record Letter(int partition, long offset) {
    static Letter of(String topic, String place) {
      Matcher parts = PLACE.matcher(place);
      if (!parts.matches() || !parts.group(1).equals(topic)) {
        throw new IllegalArgumentException(
            "after must be a place like %s-0@15, but is '%s'".formatted(topic, place));
      }
      return new Letter(Integer.parseInt(parts.group(2)), Long.parseLong(parts.group(3)));
    }
  }

  private void find(Starts starts) {
    List<PartitionInfo> partitions = consumer.partitionsFor(topic, CALL);
    if (partitions.isEmpty()) {
      throw new UnknownTopicOrPartitionException("the broker has no such topic");
    }
    List<TopicPartition> all =
        partitions.stream()
            .map(PartitionInfo::partition)
            .sorted()
            .map(number -> new TopicPartition(topic, number))
            .filter(partition -> starts.of(partition) != null)
            .toList();
    Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(all, CALL);
    Map<TopicPartition, Long> ends = consumer.endOffsets(all, CALL);
    for (TopicPartition partition : all) {
      long beginning = beginnings.getOrDefault(partition, 0L);
      long end = ends.getOrDefault(partition, 0L);
      long first = Math.max(beginning, Objects.requireNonNull(starts.of(partition)));
      if (first < end) {
        left.add(new Span(partition, first, end));
      }
    }
  }

  private static DeadLetterAccessException failure(String topic, KafkaException e) {
    return new DeadLetterAccessException(
        "The dead letters of topic " + topic + " can't be read: " + e.getMessage(),
        e instanceof UnknownTopicOrPartitionException || e instanceof InvalidTopicException,
        e);
  }

  /** One partition after the other. */
  @Override
  public List<Delivery> next() {
    try {
      List<Delivery> deliveries = List.of();
      Span span = current();
      while (deliveries.isEmpty() && span != null) {
        deliveries = next(span);
        if (isAtEnd(span)) {
          current = null;
        }
        span = current();
      }
      return deliveries;
    } catch (KafkaException e) {
      throw failure(topic, e);
    }
  }

  private @Nullable Span current() {
    if (current == null) {
      current = left.poll();
      if (current != null) {
        consumer.assign(List.of(current.partition()));
        consumer.seek(current.partition(), current.first());
      }
    }
    return current;
  }

  private List<Delivery> next(Span span) {
    for (int polls = 0; polls < MOST_IDLE_POLLS && !isAtEnd(span); polls++) {
      List<Delivery> deliveries = poll(span);
      if (!deliveries.isEmpty()) {
        return deliveries;
      }
    }
    if (!isAtEnd(span)) {
      throw new KafkaException("the broker sends nothing more before the end");
    }
    return List.of();
  }

  private boolean isAtEnd(Span span) {
    return consumer.position(span.partition(), CALL) >= span.end();
  }

  private List<Delivery> poll(Span span) {
    List<Delivery> deliveries = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
      if (message.offset() < span.end()) {
        deliveries.add(
            Deliveries.of(message, span.partition().toString(), false, message.offset()));
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
