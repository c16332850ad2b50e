package io.waybill.kafka;

import io.waybill.kafka.internal.DeepestCause;
import io.waybill.message.Destination;
import io.waybill.message.RecordTime;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Start-up checks of the client, the broker and the topics that are known beforehand. They refuse a
 * client that can corrupt events; all other findings are warnings, because {@link
 * KafkaPublisherConfig} already refuses settings that could lose or reorder events.
 */
public final class KafkaChecks {
  private static final long LIMIT_SECONDS = 5;

  private final KafkaPublisherConfig config;
  private final long maxMessageBytes;
  private final boolean plainByDefault;
  private final List<Finding> findings = new ArrayList<>();

  private KafkaChecks(KafkaPublisherConfig config, long maxMessageBytes, boolean plainByDefault) {
    this.config = config;
    this.maxMessageBytes = maxMessageBytes;
    this.plainByDefault = plainByDefault;
  }

  /**
   * Runs the checks without changing anything. Takes some seconds when the broker does not answer.
   *
   * @param config settings of the publisher
   * @param topics topics that routes name, with the times of their records; with any partition
   *     where a route names one
   * @param maxMessageBytes largest message that may be sent, body and headers
   * @return findings, empty when all is well
   * @throws InterruptedException when interrupted while waiting for the broker
   */
  public static List<Finding> run(
      KafkaPublisherConfig config, Collection<Destination> topics, long maxMessageBytes)
      throws InterruptedException {
    return run(config, topics, maxMessageBytes, false);
  }

  /**
   * The same.
   *
   * @param plainByDefault whether nobody has chosen that events go uncompressed
   */
  static List<Finding> run(
      KafkaPublisherConfig config,
      Collection<Destination> topics,
      long maxMessageBytes,
      boolean plainByDefault)
      throws InterruptedException {
    KafkaChecks checks = new KafkaChecks(config, maxMessageBytes, plainByDefault);
    ClientVersion.check(ClientVersion.current()).ifPresent(checks.findings::add);
    checks.connection();
    checks.sizes();
    Admin admin = checks.connect();
    if (admin != null) {
      try {
        checks.broker(admin, times(topics), named(topics));
      } finally {
        admin.close(Duration.ZERO);
      }
    }
    return List.copyOf(checks.findings);
  }

  /** Topics by name; of two routes to one topic, that with the creation time needs more of it. */
  private static Map<String, RecordTime> times(Collection<Destination> topics) {
    Map<String, RecordTime> times = new TreeMap<>();
    topics.forEach(
        topic ->
            times.merge(
                topic.target(),
                topic.timestamp(),
                (one, other) -> one == RecordTime.CREATED ? one : other));
    return times;
  }

  /** Topics of which a route names the partition. */
  private static Set<String> named(Collection<Destination> topics) {
    return topics.stream()
        .filter(topic -> topic.partition() != null)
        .map(Destination::target)
        .collect(Collectors.toSet());
  }

  private void connection() {
    String protocol = config.properties().getOrDefault("security.protocol", "PLAINTEXT");
    boolean open = protocol.endsWith("PLAINTEXT");
    if (open && !PlaintextPasswords.stayHere(config.bootstrapServers())) {
      findings.add(
          new Finding(
              Check.KAFKA_PLAINTEXT,
              "kafka " + config.bootstrapServers(),
              "security.protocol: events and passwords cross the network in the clear: " + protocol,
              "set security.protocol to SSL or SASL_SSL"));
    }
  }

  private void sizes() {
    atLeastAnEvent(
        Check.KAFKA_REQUESTS_TOO_SMALL,
        "max.request.size",
        ClientProperties.maxRequestSize(config));
    atLeastAnEvent(
        Check.KAFKA_BUFFER_TOO_SMALL, "buffer.memory", ClientProperties.bufferMemory(config));
  }

  private void atLeastAnEvent(Check check, String property, long limit) {
    if (limit < maxMessageBytes) {
      findings.add(
          new Finding(
              check,
              "kafka " + config.bootstrapServers(),
              property + ": is smaller than the largest event: " + limit + " < " + maxMessageBytes,
              "set " + property + " to at least " + maxMessageBytes));
    }
  }

  private @Nullable Admin connect() {
    try {
      return Admin.create(ClientProperties.admin(config));
    } catch (KafkaException e) {
      unreachable(e);
      return null;
    }
  }

  private void unreachable(Throwable why) {
    findings.add(
        new Finding(
            Check.KAFKA_SILENT,
            "kafka " + config.bootstrapServers(),
            "the broker does not answer: " + DeepestCause.text(why),
            "start the broker, or correct bootstrapServers and security settings"));
  }

  private void broker(Admin admin, Map<String, RecordTime> times, Set<String> named)
      throws InterruptedException {
    try {
      replicas(admin.describeCluster().nodes().get(LIMIT_SECONDS, TimeUnit.SECONDS).size());
    } catch (ExecutionException | TimeoutException e) {
      unreachable(e.getCause() == null ? e : e.getCause());
      return;
    }
    Set<String> topics = times.keySet();
    var descriptions =
        admin
            .describeTopics(topics, new DescribeTopicsOptions().includeAuthorizedOperations(true))
            .topicNameValues();
    List<ConfigResource> resources = topics.stream().map(KafkaChecks::resource).toList();
    var configs = admin.describeConfigs(resources).values();
    Map<String, Integer> partitions = new TreeMap<>();
    for (Map.Entry<String, RecordTime> topic : times.entrySet()) {
      KafkaFuture<TopicDescription> description = descriptions.get(topic.getKey());
      KafkaFuture<Config> settings = configs.get(resource(topic.getKey()));
      if (description != null && settings != null) {
        partitions.put(
            topic.getKey(), topic(topic.getKey(), topic.getValue(), description, settings));
      }
    }
    buffer(partitions.values().stream().mapToLong(Integer::longValue).sum());
    if (plainByDefault) {
      CompressionChecks.run(config, partitions).ifPresent(findings::add);
    }
    partitions.keySet().removeAll(named);
    findings.addAll(PartitionerChecks.run(config, partitions));
  }

  private void replicas(int brokers) {
    NewTopicSettings wanted = config.createTopics();
    if (wanted != null && wanted.replication() > brokers) {
      findings.add(
          new Finding(
              Check.KAFKA_TOPICS_CANNOT_BE_CREATED,
              "kafka " + config.bootstrapServers(),
              "replication factor: missing topics cannot be created with more replicas than there"
                  + " are brokers: "
                  + wanted.replication()
                  + " > "
                  + brokers,
              "set create-topics.replication-factor to at most " + brokers));
    }
  }

  private static ConfigResource resource(String topic) {
    return new ConfigResource(ConfigResource.Type.TOPIC, topic);
  }

  private void buffer(long partitions) {
    long batch = ClientProperties.batchBytes(config, partitions);
    long buffer = ClientProperties.bufferMemory(config);
    if (partitions * batch > buffer) {
      findings.add(
          new Finding(
              Check.KAFKA_BUFFER_BELOW_PARTITIONS,
              "kafka " + config.bootstrapServers(),
              "buffer.memory: is too small for one batch per partition, so sends wait for each"
                  + " other: "
                  + partitions
                  + " partitions, batch.size "
                  + batch
                  + ", buffer.memory "
                  + buffer,
              "set buffer.memory to at least "
                  + partitions * batch
                  + ", with as much more heap, or batch.size to "
                  + Math.max(1, buffer / partitions)));
    }
  }

  /** Returns the number of its partitions; 0 when it cannot be seen. */
  private int topic(
      String topic,
      RecordTime time,
      KafkaFuture<TopicDescription> description,
      KafkaFuture<Config> settings)
      throws InterruptedException {
    String part = "the topic";
    int partitions = 0;
    try {
      TopicDescription found = description.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      partitions = found.partitions().size();
      part = "its configuration";
      Config read = settings.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      findings.addAll(
          TopicChecks.of(
              config.bootstrapServers(),
              topic,
              time,
              found,
              read,
              maxMessageBytes,
              ClientProperties.compression(config)));
    } catch (ExecutionException e) {
      failed(topic, part, e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      failed(topic, part, e);
    }
    return partitions;
  }

  private void failed(String topic, String part, Throwable why) {
    if (why instanceof UnknownTopicOrPartitionException) {
      missing(topic);
      return;
    }
    findings.add(
        new Finding(
            Check.KAFKA_TOPIC_UNREADABLE,
            "topic " + topic,
            part + " cannot be read: " + why,
            "allow the relay's user Describe and DescribeConfigs on the topic"));
  }

  private void missing(String topic) {
    if (config.createTopics() == null) {
      findings.add(
          new Finding(
              Check.KAFKA_TOPIC_MISSING,
              "topic " + topic,
              "the topic does not exist; its events wait until it does",
              "waybill destinations declare, kafka-topics.sh --create --topic "
                  + topic
                  + ", or let the relay create topics",
              "./waybill destinations declare " + topic));
    }
  }
}
