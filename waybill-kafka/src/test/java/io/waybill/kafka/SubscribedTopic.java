package io.waybill.kafka;

import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** A topic of its own for each test, and the group that reads it. */
abstract class SubscribedTopic {
  final KafkaServer server = SubscriberBroker.SERVER;

  String topic;

  @BeforeEach
  void name(TestInfo test) {
    // A test that is run again has a topic of its own.
    topic = test.getTestMethod().orElseThrow().getName() + "-" + System.nanoTime();
  }

  KafkaSubscriberConfig.Builder config() {
    return KafkaContractSource.config(server.bootstrapServers(), List.of(topic));
  }

  static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(40)))
        .pollInterval(Duration.ofMillis(5))
        .pollDelay(Duration.ZERO)
        .until(condition);
  }

  void publish(int from, int to) {
    KafkaContractSource.publish(
        server, topic, null, IntStream.range(from, to).mapToObj(Integer::toString).toList());
  }

  void publishByKey(int keys, int numbers) {
    for (int key = 0; key < keys; key++) {
      String prefix = "k" + key + "/";
      KafkaContractSource.publish(
          server,
          topic,
          "k" + key,
          IntStream.range(0, numbers).mapToObj(number -> prefix + number).toList());
    }
  }

  long committed(int partition) throws Exception {
    TopicPartition asked = new TopicPartition(topic, partition);
    try (Admin admin = server.admin()) {
      OffsetAndMetadata found =
          admin
              .listConsumerGroupOffsets("group-" + topic)
              .partitionsToOffsetAndMetadata()
              .get(20, TimeUnit.SECONDS)
              .get(asked);
      return found == null ? -1 : found.offset();
    }
  }
}
