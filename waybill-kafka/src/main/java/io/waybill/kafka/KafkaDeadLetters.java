package io.waybill.kafka;

import io.waybill.internal.encode.DeadLetter;
import io.waybill.kafka.internal.DeepestCause;
import io.waybill.kafka.internal.Refusal;
import io.waybill.kafka.internal.TopicName;
import io.waybill.message.Destination;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * The topics for dead letters: {@code <topic>.dlt}, with as many partitions as the topic and
 * unlimited retention. The equal number of partitions keeps the order of each key.
 *
 * <p>Each call opens its own client and takes some seconds when the broker does not answer.
 */
public final class KafkaDeadLetters {
  private static final long LIMIT_SECONDS = 5;
  private static final Map<String, String> KEPT = Map.of("retention.ms", "-1");

  private final KafkaPublisherConfig config;

  /**
   * Prepares the calls.
   *
   * @param config settings of the publisher of dead letters
   */
  public KafkaDeadLetters(KafkaPublisherConfig config) {
    this.config = config;
  }

  /**
   * Names the topic that the dead letters of a topic go to.
   *
   * @param topic the topic
   * @return {@code <topic>.dlt}
   * @throws IllegalArgumentException when the name would be too long for the broker
   */
  public static Destination of(String topic) {
    String name = DeadLetter.nameOf(topic);
    Refusal refusal = TopicName.refusal(name);
    if (refusal != null) {
      throw new IllegalArgumentException("dead letters of " + topic + ": " + refusal.detail());
    }
    return Destination.topic(name);
  }

  /**
   * Checks whether the topics exist, without changing anything.
   *
   * @param topics topics whose dead-letter topics are checked
   * @return a finding for each that is missing or cannot be seen, empty when all exist
   * @throws InterruptedException when interrupted while waiting for the broker
   */
  public List<Finding> check(Collection<String> topics) throws InterruptedException {
    return onBroker(
        (admin, findings) -> {
          for (String topic : topics) {
            String name = of(topic).target();
            if (partitions(admin, name) == null) {
              findings.add(missing(name));
            }
          }
        });
  }

  /**
   * Creates the missing dead-letter topics; existing ones stay as they are.
   *
   * @param topics topics whose dead letters are meant; each exists
   * @param replication replication factor, or -1 for the broker's default
   * @return a finding for each that could not be created, empty when all exist
   * @throws IllegalArgumentException when the factor is out of range
   * @throws InterruptedException when interrupted while waiting for the broker
   */
  public List<Finding> create(Collection<String> topics, int replication)
      throws InterruptedException {
    short replicas = NewTopicSettings.checked(replication);
    return onBroker(
        (admin, findings) -> {
          Map<String, Integer> wanted = new TreeMap<>();
          for (String topic : topics) {
            Integer partitions = partitions(admin, topic);
            String name = of(topic).target();
            if (partitions == null) {
              findings.add(missing(topic));
            } else if (partitions(admin, name) == null) {
              wanted.put(name, partitions);
            }
          }
          for (Map.Entry<String, Integer> each : wanted.entrySet()) {
            create(admin, each.getKey(), each.getValue(), replicas, findings);
          }
        });
  }

  private static void create(
      Admin admin, String name, int partitions, short replication, List<Finding> findings)
      throws InterruptedException, TimeoutException {
    NewTopic topic = new NewTopic(name, partitions, replication).configs(KEPT);
    try {
      admin.createTopics(List.of(topic)).all().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        findings.add(
            new Finding(
                Check.KAFKA_TOPICS_CANNOT_BE_CREATED,
                "topic " + name,
                "the topic for dead letters cannot be created: " + e.getCause(),
                "create it, or allow the user Create on it"));
      }
    }
  }

  private static Finding missing(String name) {
    return new Finding(
        Check.KAFKA_TOPIC_MISSING,
        "topic " + name,
        "the topic does not exist; dead letters for it wait where they are",
        "kafka-topics.sh --create --topic " + name + " --config retention.ms=-1");
  }

  /** Number of partitions, null if there is no such topic. */
  private static @Nullable Integer partitions(Admin admin, String topic)
      throws InterruptedException, ExecutionException, TimeoutException {
    KafkaFuture<TopicDescription> answer =
        admin.describeTopics(List.of(topic)).topicNameValues().get(topic);
    if (answer == null) {
      return null;
    }
    try {
      return answer.get(LIMIT_SECONDS, TimeUnit.SECONDS).partitions().size();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return null;
      }
      throw e;
    }
  }

  private List<Finding> onBroker(Work work) throws InterruptedException {
    List<Finding> findings = new ArrayList<>();
    Admin admin = null;
    try {
      admin = Admin.create(ClientProperties.admin(config));
      work.on(admin, findings);
    } catch (ExecutionException e) {
      findings.add(silent(e.getCause() == null ? e : e.getCause()));
    } catch (TimeoutException | KafkaException e) {
      findings.add(silent(e));
    } finally {
      if (admin != null) {
        admin.close(Duration.ZERO);
      }
    }
    return List.copyOf(findings);
  }

  private Finding silent(Throwable why) {
    return new Finding(
        Check.KAFKA_SILENT,
        "kafka " + config.bootstrapServers(),
        "the broker does not answer questions about dead-letter topics: " + DeepestCause.text(why),
        "start the broker, or correct bootstrapServers and security settings");
  }

  /** Something to ask. */
  private interface Work {
    void on(Admin admin, List<Finding> findings)
        throws InterruptedException, ExecutionException, TimeoutException;
  }
}
