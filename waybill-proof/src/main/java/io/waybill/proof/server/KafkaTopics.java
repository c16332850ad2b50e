package io.waybill.proof.server;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.awaitility.Awaitility;

/** Topics of a broker: created, deleted, and led when it is ready. */
final class KafkaTopics {
  private KafkaTopics() {}

  /** Creates a topic and waits until it can be used. */
  static void create(Admin admin, NewTopic topic) {
    try {
      admin.createTopics(List.of(topic)).all().get(20, TimeUnit.SECONDS);
      Awaitility.await("leaders of topic " + topic.name())
          .ignoreException(ExecutionException.class)
          .until(() -> areLed(admin, List.of(topic.name())));
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      throw new IllegalStateException("cannot create topic " + topic.name(), e);
    }
  }

  /** Deletes a topic and waits until it is gone. */
  static void delete(Admin admin, String name) {
    try {
      admin.deleteTopics(List.of(name)).all().get(20, TimeUnit.SECONDS);
      Awaitility.await("end of topic " + name).until(() -> !exists(admin, name));
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      throw new IllegalStateException("cannot delete topic " + name, e);
    }
  }

  /** Whether the broker answers, and all its topics have leaders. */
  static boolean areReady(Admin admin) throws InterruptedException {
    try {
      return !admin.describeCluster().nodes().get(2, TimeUnit.SECONDS).isEmpty()
          && areLed(admin, admin.listTopics().names().get(2, TimeUnit.SECONDS));
    } catch (ExecutionException | TimeoutException notYet) {
      return false;
    }
  }

  /**
   * A new topic is known, in listings too, before its partitions have leaders. So are all topics of
   * a broker that was killed and still recovers their logs.
   */
  private static boolean areLed(Admin admin, Collection<String> topics)
      throws InterruptedException, ExecutionException, TimeoutException {
    return admin.describeTopics(topics).allTopicNames().get(10, TimeUnit.SECONDS).values().stream()
        .flatMap(topic -> topic.partitions().stream())
        .allMatch(partition -> partition.leader() != null && !partition.leader().isEmpty());
  }

  private static boolean exists(Admin admin, String name) throws Exception {
    return admin.listTopics().names().get(10, TimeUnit.SECONDS).contains(name);
  }
}
