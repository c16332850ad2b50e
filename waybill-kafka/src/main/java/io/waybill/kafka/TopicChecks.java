package io.waybill.kafka;

import io.waybill.message.RecordTime;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.acl.AclOperation;
import org.jspecify.annotations.Nullable;

/** Checks one topic that exists. */
final class TopicChecks {
  /** An outage may last that long without its events being too old for the topic. */
  private static final Duration OLD_EVENTS = Duration.ofDays(7);

  private static final Duration LEAST_RETENTION = Duration.ofDays(1);

  /** The clock that dates the records and that of the broker may differ by that much. */
  private static final Duration CLOCKS = Duration.ofMinutes(1);

  private final String servers;
  private final String topic;
  private final Config config;
  private final List<Finding> findings = new ArrayList<>();

  private TopicChecks(String servers, String topic, Config config) {
    this.servers = servers;
    this.topic = topic;
    this.config = config;
  }

  static List<Finding> of(
      String servers,
      String topic,
      RecordTime time,
      TopicDescription description,
      Config config,
      long maxMessageBytes,
      String compression) {
    TopicChecks checks = new TopicChecks(servers, topic, config);
    checks.replication(description);
    checks.state(description);
    checks.size(maxMessageBytes);
    checks.timestamps(time);
    checks.retention();
    checks.compression(compression);
    checks.privilege(description.authorizedOperations());
    return checks.findings;
  }

  private void replication(TopicDescription description) {
    int replicas =
        description.partitions().stream().mapToInt(p -> p.replicas().size()).min().orElse(0);
    long needed = number("min.insync.replicas", 1);
    if (replicas == 1) {
      warn(
          Check.KAFKA_REPLICATION_FACTOR_ONE,
          "replication factor: the loss of one broker loses confirmed events: 1",
          "raise the replication factor to 3 with kafka-reassign-partitions.sh");
    } else if (needed < 2) {
      warnOfSetting(
          Check.KAFKA_MIN_INSYNC_ONE,
          "min.insync.replicas: an event counts as confirmed when one broker has it: 1",
          "min.insync.replicas=2");
    } else if (needed == replicas) {
      warnOfSetting(
          Check.KAFKA_MIN_INSYNC_ALL,
          "min.insync.replicas: no event is confirmed while one of the brokers is away: "
              + needed
              + " of "
              + replicas,
          "min.insync.replicas=" + Math.max(1, replicas - 1));
    }
    if (needed > replicas) {
      warnOfSetting(
          Check.KAFKA_MIN_INSYNC_UNREACHABLE,
          "min.insync.replicas: no event can be confirmed: " + needed + " > " + replicas,
          "min.insync.replicas=" + Math.max(1, replicas - 1));
    }
    if ("true".equals(value("unclean.leader.election.enable"))) {
      warnOfSetting(
          Check.KAFKA_UNCLEAN_ELECTION,
          "unclean.leader.election.enable: a broker that missed confirmed events may lead: true",
          "unclean.leader.election.enable=false");
    }
  }

  private void state(TopicDescription description) {
    List<TopicPartitionInfo> partitions = description.partitions();
    List<Integer> headless =
        partitions.stream()
            .filter(p -> p.leader() == null || p.leader().isEmpty())
            .map(TopicPartitionInfo::partition)
            .toList();
    if (!headless.isEmpty()) {
      warn(
          Check.KAFKA_PARTITION_WITHOUT_LEADER,
          "partitions: no broker leads them, so their events wait: " + headless,
          "start the brokers that have them");
    }
    List<Integer> behind =
        partitions.stream()
            .filter(p -> !headless.contains(p.partition()))
            .filter(p -> p.isr().size() < p.replicas().size())
            .map(TopicPartitionInfo::partition)
            .toList();
    if (!behind.isEmpty()) {
      warn(
          Check.KAFKA_REPLICAS_BEHIND,
          "replicas: fewer brokers have the confirmed events than should, of partitions: " + behind,
          "start the brokers that are away, or move their partitions to others");
    }
  }

  private void size(long maxMessageBytes) {
    long limit = number("max.message.bytes", Long.MAX_VALUE);
    if (limit < maxMessageBytes) {
      warnOfSetting(
          Check.KAFKA_TOPIC_MESSAGES_TOO_SMALL,
          "max.message.bytes: is smaller than the largest event: "
              + limit
              + " < "
              + maxMessageBytes,
          "max.message.bytes=" + maxMessageBytes);
    }
  }

  private void timestamps(RecordTime time) {
    boolean created = time == RecordTime.CREATED;
    if ("LogAppendTime".equals(value("message.timestamp.type"))) {
      if (created) {
        warn(
            Check.KAFKA_TIME_OF_APPEND,
            "message.timestamp.type: the broker's time replaces the creation time of the route:"
                + " LogAppendTime",
            "remove 'timestamp: created' from the route; the broker's time is the safe one");
      }
      return;
    }
    if (created) {
      creationTimes();
    }
    long after = number("message.timestamp.after.max.ms", Long.MAX_VALUE);
    if (after < CLOCKS.toMillis()) {
      warnOfSetting(
          Check.KAFKA_NEW_EVENTS_REFUSED,
          "message.timestamp.after.max.ms: events are refused when the clock of the "
              + (created ? "database" : "relay")
              + " is that far ahead: "
              + after,
          "message.timestamp.after.max.ms=" + Duration.ofHours(1).toMillis());
    }
  }

  private void creationTimes() {
    long before = number("message.timestamp.before.max.ms", Long.MAX_VALUE);
    if (before < OLD_EVENTS.toMillis()) {
      warnOfSetting(
          Check.KAFKA_OLD_EVENTS_REFUSED,
          "message.timestamp.before.max.ms: events are refused after an outage of that length: "
              + before,
          "message.timestamp.before.max.ms=" + Long.MAX_VALUE);
    }
    long kept = number("retention.ms", -1);
    if (value("cleanup.policy").contains("delete") && kept >= 0) {
      warn(
          Check.KAFKA_CREATION_TIME_EXPIRES,
          "retention.ms: the broker deletes an event immediately if it is sent this long after its"
              + " creation: "
              + kept,
          "set 'timestamp: sent' in the route, or " + alter("retention.ms=-1"));
    }
  }

  private void retention() {
    String policy = value("cleanup.policy");
    if (policy.contains("compact")) {
      warnOfSetting(
          Check.KAFKA_TOPIC_COMPACTED,
          "cleanup.policy: the broker eventually removes all but the last event of a key: "
              + policy,
          "cleanup.policy=delete");
    }
    long millis = number("retention.ms", -1);
    if (policy.contains("delete") && millis >= 0 && millis < LEAST_RETENTION.toMillis()) {
      warnOfSetting(
          Check.KAFKA_RETENTION_SHORT,
          "retention.ms: consumers that are away for longer miss events: " + millis,
          "retention.ms=" + Duration.ofDays(7).toMillis());
    }
  }

  private void compression(String sent) {
    String kept = value("compression.type");
    if (!kept.isEmpty() && !kept.equals("producer") && !kept.equals(sent)) {
      warnOfSetting(
          Check.KAFKA_COMPRESSED_AGAIN,
          "compression.type: the broker compresses each batch itself, because they come as "
              + sent
              + ": "
              + kept,
          "compression.type=producer");
    }
  }

  private void privilege(@Nullable Set<AclOperation> allowed) {
    if (allowed != null && !allowed.isEmpty() && !allowed.contains(AclOperation.WRITE)) {
      warn(
          Check.KAFKA_WRITE_DENIED,
          "privileges: the broker refuses events because the relay's user may only: "
              + allowed.stream().map(Enum::name).sorted().toList(),
          "kafka-acls.sh --add --allow-principal User:<relay user> --operation Write --topic "
              + topic);
    }
  }

  private void warn(Check check, String detail, String remedy) {
    findings.add(new Finding(check, "topic " + topic, detail, remedy));
  }

  private void warnOfSetting(Check check, String detail, String setting) {
    findings.add(new Finding(check, "topic " + topic, detail, alter(setting)).runnable());
  }

  private String alter(String setting) {
    return "kafka-configs.sh --bootstrap-server "
        + servers
        + " --alter --entity-type topics --entity-name "
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
