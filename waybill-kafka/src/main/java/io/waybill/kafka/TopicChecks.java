package io.waybill.kafka;

import io.waybill.observe.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;

/** Checks one topic that exists. */
final class TopicChecks {
  /** An outage may last that long without its events being too old for the topic. */
  private static final Duration OLD_EVENTS = Duration.ofDays(7);

  private final String topic;
  private final Config config;
  private final List<Finding> findings = new ArrayList<>();

  private TopicChecks(String topic, Config config) {
    this.topic = topic;
    this.config = config;
  }

  static List<Finding> of(
      String topic, TopicDescription description, Config config, long maxMessageBytes) {
    TopicChecks checks = new TopicChecks(topic, config);
    checks.replication(description);
    checks.size(maxMessageBytes);
    checks.timestamps();
    checks.compaction();
    return checks.findings;
  }

  private void replication(TopicDescription description) {
    int replicas =
        description.partitions().stream().mapToInt(p -> p.replicas().size()).min().orElse(0);
    if (replicas == 1) {
      warn(
          "replication factor: the loss of one broker loses confirmed events: 1",
          "kafka-reassign-partitions.sh: raise the replication factor to 3");
    } else if (number("min.insync.replicas", 1) < 2) {
      warn(
          "min.insync.replicas: an event counts as confirmed when one broker has it: 1",
          alter("min.insync.replicas=2"));
    }
    if ("true".equals(value("unclean.leader.election.enable"))) {
      warn(
          "unclean.leader.election.enable: a broker that missed confirmed events may lead: true",
          alter("unclean.leader.election.enable=false"));
    }
  }

  private void size(long maxMessageBytes) {
    long limit = number("max.message.bytes", Long.MAX_VALUE);
    if (limit < maxMessageBytes) {
      warn(
          "max.message.bytes: is smaller than the largest event: "
              + limit
              + " < "
              + maxMessageBytes,
          alter("max.message.bytes=" + maxMessageBytes));
    }
  }

  private void timestamps() {
    if ("LogAppendTime".equals(value("message.timestamp.type"))) {
      warn(
          "message.timestamp.type: consumers do not see when an event was written: LogAppendTime",
          alter("message.timestamp.type=CreateTime"));
    }
    long before = number("message.timestamp.before.max.ms", Long.MAX_VALUE);
    if (before < OLD_EVENTS.toMillis()) {
      warn(
          "message.timestamp.before.max.ms: events are refused after an outage of that length: "
              + before,
          alter("message.timestamp.before.max.ms=" + Long.MAX_VALUE));
    }
  }

  private void compaction() {
    if (value("cleanup.policy").contains("compact")) {
      warn(
          "cleanup.policy: all but the last event of a key are removed in the end: "
              + value("cleanup.policy"),
          alter("cleanup.policy=delete"));
    }
  }

  private void warn(String detail, String remedy) {
    findings.add(Finding.warn("topic " + topic, detail, remedy));
  }

  private String alter(String setting) {
    return "kafka-configs.sh --alter --entity-type topics --entity-name "
        + topic
        + " --add-config "
        + setting;
  }

  private String value(String name) {
    ConfigEntry entry = config.get(name);
    return entry == null || entry.value() == null ? "" : entry.value();
  }

  private long number(String name, long otherwise) {
    String value = value(name);
    return value.isEmpty() ? otherwise : Long.parseLong(value);
  }
}
