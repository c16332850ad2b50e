package io.waybill.kafka;

import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Compares the partitioner with where the latest records of topics lie, which another producer may
 * have put there. A topic that the user may not read is passed over.
 */
final class PartitionerChecks {
  /** Records of a topic. */
  private static final int RECORDS = 2_000;

  private PartitionerChecks() {}

  /** Takes some seconds at most, however many topics there are. */
  static List<Finding> run(KafkaPublisherConfig config, Map<String, Integer> partitions) {
    Map<String, PartitionSample> samples = new TreeMap<>();
    partitions.forEach(
        (topic, number) -> {
          if (number > 1) {
            samples.put(topic, new PartitionSample(number));
          }
        });
    Map<String, Integer> several = new TreeMap<>(partitions);
    several.keySet().retainAll(samples.keySet());
    LatestRecords.read(
        config,
        several,
        RECORDS,
        message -> Objects.requireNonNull(samples.get(message.topic())).add(message));
    List<Finding> findings = new ArrayList<>();
    samples.forEach((topic, sample) -> findings.addAll(of(topic, config.partitioner(), sample)));
    return findings;
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
