package io.waybill.torture;

import static org.apache.kafka.common.acl.AclOperation.ALL;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.acl.AclPermissionType.ALLOW;
import static org.apache.kafka.common.acl.AclPermissionType.DENY;

import io.waybill.proof.oracle.KafkaSpy;
import io.waybill.proof.oracle.Spy;
import io.waybill.proof.proxy.Protocol;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.server.KafkaRetention;
import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Kafka: a topic of four partitions for each destination, whose records have the append's time. */
final class TortureKafka implements TortureBroker {
  // Denied to all clients, which have one name; the spy only reads.
  private static final String EVERYBODY = "User:ANONYMOUS";
  private static final int PARTITIONS = 4;
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(60));

  private final KafkaServer server =
      KafkaServer.launch(
          "PLAINTEXT",
          Map.ofEntries(
              Map.entry(
                  "authorizer.class.name",
                  "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
              Map.entry("allow.everyone.if.no.acl.found", "true"),
              // It looks for what is over every five minutes otherwise.
              Map.entry("log.retention.check.interval.ms", "2000"),
              Map.entry("log.initial.task.delay.ms", "1000")));
  private List<String> topics = List.of();
  private @Nullable String aged;
  private @Nullable KafkaSpy spy;

  @Override
  public String configuration(int port) {
    return """
    kafka:
      bootstrap-servers: ["127.0.0.1:%d"]
    """
        .formatted(port);
  }

  @Override
  public Proxy proxy() {
    return Proxy.start(Protocol.KAFKA, server.proxiedPort(), server.proxyPort());
  }

  @Override
  public boolean hasOneAddress() {
    return true;
  }

  @Override
  public void create(OutboxTable table, Duration keep) {
    topics = table.destinations();
    for (String topic : topics) {
      create(topic);
      change(admin -> admin.createAcls(List.of(acl(topic, ALL, ALLOW))).all());
    }
    table.aging().ifPresent(aging -> createAged(aging.topic(), keep));
  }

  /** A segment of a minute, so that old records are not kept because of fresh ones beside them. */
  private void createAged(String topic, Duration keep) {
    String retention = Long.toString(keep.toMillis());
    Map<String, String> config =
        Map.of(
            "message.timestamp.type", "CreateTime",
            "retention.ms", retention,
            "segment.ms", "60000");
    server.createTopic(topic, PARTITIONS, config);
    aged = topic;
  }

  /** None is over whose sender's clock told the time, whatever the age of its event. */
  @Override
  public long deletedByTime() {
    String topic = aged;
    if (topic == null) {
      return 0;
    }
    KafkaRetention.awaitLook(server, "torture.look");
    Map<TopicPartition, OffsetSpec> beginnings = new HashMap<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      beginnings.put(new TopicPartition(topic, partition), OffsetSpec.earliest());
    }
    try (Admin admin = server.admin()) {
      return admin
          .listOffsets(beginnings)
          .all()
          .get(LIMIT.toSeconds(), TimeUnit.SECONDS)
          .values()
          .stream()
          .mapToLong(ListOffsetsResultInfo::offset)
          .sum();
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void create(String topic) {
    server.createTopic(topic, PARTITIONS, Map.of("message.timestamp.type", "LogAppendTime"));
  }

  /** The broker learns of a denial a while after it was taken. */
  private boolean isDenied(String topic) throws Exception {
    DescribeTopicsOptions options = new DescribeTopicsOptions().includeAuthorizedOperations(true);
    try (Admin admin = server.admin()) {
      Map<String, TopicDescription> topics =
          admin
              .describeTopics(List.of(topic), options)
              .allTopicNames()
              .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      return topics.values().stream()
          .noneMatch(description -> description.authorizedOperations().contains(WRITE));
    }
  }

  private static AclBinding acl(String topic, AclOperation operation, AclPermissionType type) {
    return new AclBinding(
        new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
        new AccessControlEntry(EVERYBODY, "*", operation, type));
  }

  private void change(Function<Admin, KafkaFuture<?>> change) {
    try (Admin admin = server.admin()) {
      change.apply(admin).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Set<FaultKind> refusals() {
    return EnumSet.of(FaultKind.TOPIC_MISSING, FaultKind.ACCESS_REFUSED);
  }

  /** A topic is deleted when nobody can write to it any more and the spy has read all of it. */
  @Override
  public synchronized Refusal refuse(FaultKind kind, int dice) {
    String topic = topics.get(dice % topics.size());
    AclBinding denial = acl(topic, WRITE, DENY);
    Runnable allow = () -> change(admin -> admin.deleteAcls(List.of(denial.toFilter())).all());
    change(admin -> admin.createAcls(List.of(denial)).all());
    Awaitility.await(topic + " is denied").atMost(LIMIT).until(() -> isDenied(topic));
    if (kind == FaultKind.ACCESS_REFUSED) {
      return new Refusal(topic, allow);
    }
    KafkaSpy reader = Objects.requireNonNull(spy, "spy");
    Awaitility.await("the spy has read all of " + topic)
        .atMost(LIMIT)
        .during(Duration.ofSeconds(1))
        .until(() -> reader.hasReadAll(topic));
    reader.forget(topic);
    server.deleteTopic(topic);
    allow.run();
    return new Refusal(
        topic,
        () -> {
          create(topic);
          reader.follow(topic);
        });
  }

  @Override
  public Spy spy(OutboxTable table) {
    List<String> all =
        Stream.concat(topics.stream(), table.aging().stream().map(OutboxTable.Aging::topic))
            .toList();
    spy = new KafkaSpy(server.bootstrapServers(), all, "waybill-event-id", table.fingerprint());
    return spy;
  }

  @Override
  public Feed feed() {
    return new KafkaFeed(server);
  }

  @Override
  public synchronized void kill() {
    server.kill();
  }

  @Override
  public synchronized void start() {
    server.start();
  }

  @Override
  public synchronized void freeze() {
    server.freeze();
  }

  @Override
  public synchronized void thaw() {
    server.thaw();
  }

  @Override
  public boolean hasAlarm() {
    return false;
  }

  @Override
  public void alarm(boolean raised) {
    throw new UnsupportedOperationException("Kafka has no alarm");
  }

  @Override
  public void full(boolean full) {
    throw new UnsupportedOperationException("Kafka has no alarm");
  }

  @Override
  public long connections() {
    return 0;
  }

  @Override
  public Path folder() {
    return Objects.requireNonNull(server.logFile().toPath().getParent());
  }

  @Override
  public void close() {
    server.close();
  }
}
