package io.waybill.kafka.internal.send;

import io.waybill.kafka.internal.Refusal;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks topics up, on a thread of its own: each call may take seconds. */
final class TopicScout {
  private static final Logger LOG = LoggerFactory.getLogger(TopicScout.class);

  /** What was found out about a topic. */
  sealed interface Finding {
    /**
     * It exists.
     *
     * @param facts what it is like
     */
    record Present(TopicFacts facts) implements Finding {}

    /** The broker says that there is none. */
    record Missing() implements Finding {}

    /**
     * The broker does not allow its use.
     *
     * @param refusal for each message to it
     */
    record Denied(Refusal refusal) implements Finding {}

    /**
     * Nobody knows: the broker did not answer.
     *
     * @param why the failure
     */
    record Silent(Throwable why) implements Finding {}
  }

  private static final long LIMIT_SECONDS = 3;

  private final Admin admin;
  private final @Nullable Function<String, NewTopic> newTopic;

  TopicScout(Admin admin, @Nullable Function<String, NewTopic> newTopic) {
    this.admin = admin;
    this.newTopic = newTopic;
  }

  /** Looks the topics up, and creates the missing ones where that is wanted. */
  Map<String, Finding> explore(Collection<String> topics) throws InterruptedException {
    Map<String, KafkaFuture<TopicDescription>> descriptions =
        admin.describeTopics(topics).topicNameValues();
    Map<ConfigResource, KafkaFuture<Config>> configs = configs(topics);
    Map<String, Finding> findings = new HashMap<>();
    for (String topic : topics) {
      findings.put(topic, finding(topic, descriptions.get(topic), configs));
    }
    createMissing(findings);
    return findings;
  }

  private Map<ConfigResource, KafkaFuture<Config>> configs(Collection<String> topics) {
    return admin.describeConfigs(topics.stream().map(TopicScout::resource).toList()).values();
  }

  private static ConfigResource resource(String topic) {
    return new ConfigResource(ConfigResource.Type.TOPIC, topic);
  }

  private static Finding finding(
      String topic,
      @Nullable KafkaFuture<TopicDescription> description,
      Map<ConfigResource, KafkaFuture<Config>> configs)
      throws InterruptedException {
    if (description == null) {
      return new Finding.Missing();
    }
    try {
      int partitions = description.get(LIMIT_SECONDS, TimeUnit.SECONDS).partitions().size();
      Optional<Config> config = config(configs.get(resource(topic)));
      return new Finding.Present(facts(partitions, config));
    } catch (ExecutionException e) {
      return failure(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException | RuntimeException e) {
      return new Finding.Silent(e);
    }
  }

  private static Finding failure(Throwable cause) {
    if (cause instanceof UnknownTopicOrPartitionException) {
      return new Finding.Missing();
    }
    if (cause instanceof TopicAuthorizationException e) {
      return new Finding.Denied(Refusal.of(e));
    }
    if (cause instanceof InvalidTopicException e) {
      return new Finding.Denied(Refusal.of(e));
    }
    return new Finding.Silent(cause);
  }

  /** Reading the configuration needs a privilege of its own; without it the limits are unknown. */
  private static Optional<Config> config(@Nullable KafkaFuture<Config> future)
      throws InterruptedException {
    if (future == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(future.get(LIMIT_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("The topic's configuration cannot be read; its limits are not checked", e);
      return Optional.empty();
    }
  }

  private static TopicFacts facts(int partitions, Optional<Config> config) {
    int maxBytes =
        config
            .map(c -> value(c, "max.message.bytes"))
            .filter(v -> !v.isEmpty())
            .map(Integer::parseInt)
            .orElse(Integer.MAX_VALUE);
    boolean compacted = config.map(c -> value(c, "cleanup.policy")).orElse("").contains("compact");
    return new TopicFacts(partitions, maxBytes, compacted, System.nanoTime());
  }

  private static String value(Config config, String name) {
    ConfigEntry entry = config.get(name);
    return entry == null || entry.value() == null ? "" : entry.value();
  }

  private void createMissing(Map<String, Finding> findings) throws InterruptedException {
    Function<String, NewTopic> described = newTopic;
    if (described == null) {
      return;
    }
    List<String> missing =
        findings.entrySet().stream()
            .filter(e -> e.getValue() instanceof Finding.Missing)
            .map(Map.Entry::getKey)
            .toList();
    if (!missing.isEmpty()) {
      create(missing, described, findings);
    }
  }

  private void create(
      List<String> topics, Function<String, NewTopic> described, Map<String, Finding> findings)
      throws InterruptedException {
    List<NewTopic> wanted = topics.stream().map(described).toList();
    for (Map.Entry<String, KafkaFuture<Void>> result :
        admin.createTopics(wanted).values().entrySet()) {
      findings.put(result.getKey(), created(result.getKey(), result.getValue()));
    }
  }

  /** A new topic counts as unknown for now: the next look will find it. */
  private static Finding created(String topic, KafkaFuture<Void> result)
      throws InterruptedException {
    try {
      result.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      LOG.info("Created topic {}", topic);
      return new Finding.Silent(new UnknownTopicOrPartitionException("just created: " + topic));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TopicExistsException exists) {
        return new Finding.Silent(exists);
      }
      LOG.warn(
          "Cannot create topic {}; nothing is sent there until it exists", topic, e.getCause());
      return new Finding.Missing();
    } catch (TimeoutException e) {
      return new Finding.Silent(e);
    }
  }
}
