package io.waybill.kafka;

import io.waybill.kafka.internal.consume.LaneTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Turns the settings of a subscriber into the properties of its client. */
final class ConsumerProperties {
  private ConsumerProperties() {}

  /** What the client itself says against the settings. */
  static List<String> check(KafkaSubscriberConfig config) {
    try {
      ConsumerConfig unused = new ConsumerConfig(of(config));
      return List.of();
    } catch (ConfigException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  static Map<String, Object> of(KafkaSubscriberConfig config) {
    Map<String, Object> all = new HashMap<>();
    all.put("metadata.max.age.ms", "30000");
    all.put("reconnect.backoff.max.ms", "500");
    all.put("retry.backoff.max.ms", "500");
    all.putAll(config.properties());
    all.put("allow.auto.create.topics", "false");
    // What to do without a position, or with a wrong one, is decided and told here.
    all.put("auto.offset.reset", "none");
    all.put("bootstrap.servers", config.bootstrapServers());
    all.put("enable.auto.commit", "false");
    all.put("enable.metrics.push", "false");
    all.put("group.id", config.groupId());
    all.put("isolation.level", "read_committed");
    all.put("key.deserializer", ByteArrayDeserializer.class);
    all.put("max.poll.interval.ms", Long.toString(maxPollIntervalMillis(config)));
    all.put(
        "max.poll.records",
        Integer.toString(Math.min(LaneTable.MAX_POLL_RECORDS, config.window())));
    all.put("value.deserializer", ByteArrayDeserializer.class);
    if (!"consumer".equals(all.get("group.protocol"))) {
      all.put("group.protocol", "classic");
      all.put("partition.assignment.strategy", List.of(CooperativeStickyAssignor.class.getName()));
    }
    BearerTokens.complete(all);
    return all;
  }

  /**
   * Polls go on while messages are handled, so a pause of twice what a revocation may take means
   * that the process hangs.
   */
  private static long maxPollIntervalMillis(KafkaSubscriberConfig config) {
    return config.revocationLimit().multipliedBy(2).plusSeconds(30).toMillis();
  }
}
