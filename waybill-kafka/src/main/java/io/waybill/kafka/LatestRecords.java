package io.waybill.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the latest records of topics for a check. Joins no group and commits nothing. */
final class LatestRecords {
  private static final Logger LOG = LoggerFactory.getLogger(LatestRecords.class);
  private static final int LEAST_OF_A_PARTITION = 20;
  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final Duration POLL = Duration.ofMillis(200);

  private LatestRecords() {}

  /**
   * Takes some seconds at most, however many topics there are. A topic that the user may not read
   * is passed over.
   *
   * @param partitions topics with their numbers of partitions, none of them 0
   * @param records about how many of each topic: each partition gives its share, and some at least
   */
  static void read(
      KafkaPublisherConfig config,
      Map<String, Integer> partitions,
      int records,
      java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> to) {
    if (partitions.isEmpty()) {
      return;
    }
    Map<String, Object> properties = KafkaDeadLetterReader.properties(config);
    properties.put("default.api.timeout.ms", Long.toString(LIMIT.toMillis()));
    properties.put("request.timeout.ms", Long.toString(LIMIT.toMillis()));
    try (Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties)) {
      long end = System.nanoTime() + LIMIT.toNanos();
      new TreeMap<>(partitions)
          .forEach((topic, number) -> read(consumer, topic, number, records, end, to));
    } catch (KafkaException e) {
      LOG.debug("The latest records of {} could not be read", partitions.keySet(), e);
    }
  }

  private static void read(
      Consumer<byte[], byte[]> consumer,
      String topic,
      int number,
      int records,
      long end,
      java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> to) {
    if (System.nanoTime() - end >= 0) {
      return;
    }
    try {
      Map<TopicPartition, Long> open = seek(consumer, topic, number, records);
      while (!open.isEmpty() && System.nanoTime() - end < 0) {
        consumer.poll(POLL).forEach(to);
        open.entrySet().removeIf(each -> consumer.position(each.getKey()) >= each.getValue());
      }
    } catch (KafkaException e) {
      LOG.debug("The latest records of topic {} could not be read", topic, e);
    }
  }

  /** Goes to the latest records; the ends of the partitions that have any. */
  private static Map<TopicPartition, Long> seek(
      Consumer<byte[], byte[]> consumer, String topic, int number, int records) {
    List<TopicPartition> all = new ArrayList<>();
    for (int partition = 0; partition < number; partition++) {
      all.add(new TopicPartition(topic, partition));
    }
    consumer.assign(all);
    Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(all);
    Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(all));
    long share = Math.max(LEAST_OF_A_PARTITION, records / number);
    ends.forEach(
        (partition, end) ->
            consumer.seek(
                partition, Math.max(beginnings.getOrDefault(partition, 0L), end - share)));
    ends.entrySet().removeIf(end -> end.getValue() <= beginnings.getOrDefault(end.getKey(), 0L));
    return ends;
  }
}
