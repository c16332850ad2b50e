package io.waybill.kafka;

import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the partitioner with where the latest records of topics lie, which another producer may
 * have put there. Joins no group and commits nothing. A topic that the user may not read is passed
 * over.
 */
final class PartitionerChecks {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionerChecks.class);

  /** Records of a topic; each partition gives its share of them, and some at least. */
  private static final int RECORDS = 2_000;

  private static final int LEAST_OF_A_PARTITION = 20;
  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final Duration POLL = Duration.ofMillis(200);

  private PartitionerChecks() {}

  /** Takes some seconds at most, however many topics there are. */
  static List<Finding> run(KafkaPublisherConfig config, Map<String, Integer> partitions) {
    Map<String, Integer> several = new TreeMap<>(partitions);
    several.values().removeIf(number -> number < 2);
    if (several.isEmpty()) {
      return List.of();
    }
    Map<String, Object> properties = KafkaDeadLetterReader.properties(config);
    properties.put("default.api.timeout.ms", Long.toString(LIMIT.toMillis()));
    properties.put("request.timeout.ms", Long.toString(LIMIT.toMillis()));
    List<Finding> findings = new ArrayList<>();
    try (Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties)) {
      long end = System.nanoTime() + LIMIT.toNanos();
      several.forEach(
          (topic, number) ->
              findings.addAll(
                  of(topic, config.partitioner(), sample(consumer, topic, number, end))));
    } catch (KafkaException e) {
      LOG.debug("The partitions of the records of {} could not be read", several.keySet(), e);
    }
    return findings;
  }

  private static PartitionSample sample(
      Consumer<byte[], byte[]> consumer, String topic, int number, long end) {
    PartitionSample sample = new PartitionSample(number);
    try {
      Map<TopicPartition, Long> open = seek(consumer, topic, number);
      while (!open.isEmpty() && System.nanoTime() - end < 0) {
        consumer.poll(POLL).forEach(sample::add);
        open.entrySet().removeIf(each -> consumer.position(each.getKey()) >= each.getValue());
      }
    } catch (KafkaException e) {
      LOG.debug("The partitions of the records of topic {} could not be read", topic, e);
    }
    return sample;
  }

  /** Goes to the latest records; the ends of the partitions that have any. */
  private static Map<TopicPartition, Long> seek(
      Consumer<byte[], byte[]> consumer, String topic, int number) {
    List<TopicPartition> all = new ArrayList<>();
    for (int partition = 0; partition < number; partition++) {
      all.add(new TopicPartition(topic, partition));
    }
    consumer.assign(all);
    Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(all);
    Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(all));
    long share = Math.max(LEAST_OF_A_PARTITION, RECORDS / number);
    ends.forEach(
        (partition, end) ->
            consumer.seek(
                partition, Math.max(beginnings.getOrDefault(partition, 0L), end - share)));
    ends.entrySet().removeIf(end -> end.getValue() <= beginnings.getOrDefault(end.getKey(), 0L));
    return ends;
  }

  private static List<Finding> of(
      String topic, KeyPartitioner partitioner, PartitionSample sample) {
    int elsewhere = sample.elsewhere(partitioner);
    if (elsewhere == 0) {
      return List.of();
    }
    String fitting =
        sample
            .fitting()
            .map(fits -> fits + " fits all of them")
            .orElse("no standard partitioner fits: the topic has grown, or its writers differ");
    String remedy =
        sample
            .fitting()
            .map(fits -> "set partitioner to " + fits + ", or let")
            .orElse("set partitioner to that of the other writers, or let");
    return List.of(
        new Finding(
            Check.KAFKA_PARTITIONER_DIFFERS,
            "topic " + topic,
            "partitioner: %s sends %d of the %d keys seen last (%d %%) to other partitions; %s"
                .formatted(
                    partitioner,
                    elsewhere,
                    sample.keys(),
                    Math.round(100.0 * elsewhere / sample.keys()),
                    fitting),
            remedy + " all consumers read to the end before the relay publishes"));
  }
}
