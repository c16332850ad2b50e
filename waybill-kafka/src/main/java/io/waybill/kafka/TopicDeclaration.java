package io.waybill.kafka;

import io.waybill.broker.DestinationDeclaration;
import io.waybill.kafka.internal.DeepestCause;
import io.waybill.message.Destination;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Creates topics. A look asks the broker to check the creation and not to carry it out, so it tells
 * what the broker would refuse.
 */
final class TopicDeclaration implements DestinationDeclaration {
  private static final int LIMIT_MILLIS = 10_000;
  // For the client to say why.
  private static final int MARGIN_MILLIS = 500;
  private static final int DEFAULT = -1;

  private final KafkaPublisherConfig config;
  private final int partitions;
  private final short replication;

  private TopicDeclaration(KafkaPublisherConfig config, int partitions, short replication) {
    this.config = config;
    this.partitions = partitions;
    this.replication = replication;
  }

  static TopicDeclaration of(
      KafkaPublisherConfig config, @Nullable Integer partitions, @Nullable Integer replication) {
    NewTopicSettings created = config.createTopics();
    return new TopicDeclaration(
        config,
        checked("partitions", partitions, created == null ? DEFAULT : created.partitions()),
        NewTopicSettings.checked(
            checked(
                "replication", replication, created == null ? DEFAULT : created.replication())));
  }

  private static int checked(String name, @Nullable Integer given, int otherwise) {
    int number = given == null ? otherwise : given;
    if (number != DEFAULT && number < 1) {
      throw new IllegalArgumentException(
          name + ": must be at least 1, or -1 for the broker's default: " + number);
    }
    return number;
  }

  @Override
  public List<Part> look(Destination destination, @Nullable String queue) {
    return List.of(part(destination.target(), true));
  }

  @Override
  public List<Part> declare(Destination destination, @Nullable String queue) {
    return List.of(part(destination.target(), false));
  }

  private Part part(String topic, boolean onlyLook) {
    Admin admin = null;
    try {
      Map<String, Object> properties = ClientProperties.admin(config);
      properties.put("default.api.timeout.ms", String.valueOf(LIMIT_MILLIS));
      admin = Admin.create(properties);
      Part found = existing(admin, topic);
      return found == null ? create(admin, topic, onlyLook) : found;
    } catch (ExecutionException e) {
      throw silent(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException | KafkaException e) {
      throw silent(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw silent(e);
    } finally {
      if (admin != null) {
        admin.close(Duration.ZERO);
      }
    }
  }

  /** The topic; null if there is none, or none that the user may see. */
  private @Nullable Part existing(Admin admin, String topic)
      throws ExecutionException, InterruptedException, TimeoutException {
    try {
      TopicDescription found =
          answer(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic);
      if (found == null) {
        return null;
      }
      int replicas = found.partitions().get(0).replicas().size();
      int size = found.partitions().size();
      return part(topic, State.EXISTS, settings(size, replicas) + otherwise(size));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException || isRefusal(e.getCause())) {
        return null;
      }
      throw e;
    }
  }

  /** What follows if somebody changes the number by hand. */
  private String otherwise(int size) {
    return partitions == DEFAULT || partitions == size
        ? ""
        : ("; asked for are %d, and it stays as it is: a change of the number moves keys to other"
                + " partitions, and breaks the order of those whose events are under way")
            .formatted(partitions);
  }

  private Part create(Admin admin, String topic, boolean onlyLook)
      throws ExecutionException, InterruptedException, TimeoutException {
    CreateTopicsOptions options = new CreateTopicsOptions().validateOnly(onlyLook);
    CreateTopicsResult result =
        admin.createTopics(List.of(new NewTopic(topic, partitions, replication)), options);
    try {
      Void unused = answer(result.all());
    } catch (ExecutionException e) {
      return failed(topic, e);
    }
    return part(topic, onlyLook ? State.MISSING : State.DECLARED, settings(result, topic));
  }

  private static Part failed(String topic, ExecutionException e) throws ExecutionException {
    Throwable cause = e.getCause();
    if (cause instanceof TopicExistsException) {
      return part(
          topic, State.EXISTS, "the user may not see its settings, or it was made just now");
    }
    if (cause instanceof AuthorizationException) {
      return part(
          topic,
          State.REFUSED,
          "the user needs the operation Create on the topic or the cluster: " + cause);
    }
    if (!isRefusal(cause)) {
      throw e;
    }
    return part(topic, State.REFUSED, "the broker refuses it: " + cause);
  }

  /** Whether it is the broker's answer, which another attempt would not change. */
  private static boolean isRefusal(@Nullable Throwable cause) {
    return cause instanceof ApiException
        && !(cause instanceof RetriableException)
        && !(cause instanceof AuthenticationException);
  }

  /** As the broker chose them, where it says so. */
  private String settings(CreateTopicsResult result, String topic)
      throws InterruptedException, TimeoutException {
    try {
      return settings(answer(result.numPartitions(topic)), answer(result.replicationFactor(topic)));
    } catch (ExecutionException e) {
      // A user without DescribeConfigs is not told.
      return settings(partitions, replication);
    }
  }

  private static String settings(int partitions, int replication) {
    return "partitions: %s, replication factor: %s"
        .formatted(chosen(partitions), chosen(replication));
  }

  private static String chosen(int number) {
    return number == DEFAULT ? "the broker's default" : String.valueOf(number);
  }

  private static <T> T answer(KafkaFuture<T> future)
      throws ExecutionException, InterruptedException, TimeoutException {
    return future.get(LIMIT_MILLIS + MARGIN_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static Part part(String topic, State state, String detail) {
    return new Part("topic " + topic, state, detail);
  }

  private UncheckedIOException silent(Throwable why) {
    String text =
        "kafka %s does not answer: %s".formatted(config.bootstrapServers(), DeepestCause.text(why));
    return new UncheckedIOException(text, new IOException(why));
  }
}
