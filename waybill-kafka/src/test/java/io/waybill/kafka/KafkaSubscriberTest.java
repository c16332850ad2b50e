package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Delivery;
import io.waybill.broker.SubscriberListener;
import io.waybill.kafka.internal.consume.LaneTable;
import io.waybill.testkit.Patience;
import io.waybill.testkit.SubscriberRecorder;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class KafkaSubscriberTest extends SubscribedTopic {
  @Test
  void partitionsMoveToANewMemberAfterTheirHandlersHaveFinished() throws Exception {
    assertPartitionsMove("classic");
  }

  @Test
  @Tag("long")
  void partitionsMoveInTheNewProtocolToo() throws Exception {
    assertPartitionsMove("consumer");
  }

  private void assertPartitionsMove(String protocol) throws Exception {
    server.createTopic(topic, 4, Map.of());
    publishByKey(20, 10);
    KafkaSubscriberConfig.Builder settings =
        KafkaSubscriberConfig.builder(server.bootstrapServers(), "group-" + topic, List.of(topic))
            .property("group.protocol", protocol);
    if (protocol.equals("classic")) {
      settings.property("heartbeat.interval.ms", "300");
    }
    KafkaSubscriber[] own = new KafkaSubscriber[1];
    SubscriberRecorder[] kept = new SubscriberRecorder[1];
    // What is out is acknowledged only when the partitions are asked for.
    SubscriberRecorder first =
        new SubscriberRecorder(
            deliveries -> {},
            lanes ->
                own[0].acknowledge(
                    kept[0].deliveries().stream()
                        .filter(each -> lanes.contains(each.lane()))
                        .toList()));
    kept[0] = first;
    SubscriberRecorder second = new SubscriberRecorder();
    try (KafkaSubscriber one = new KafkaSubscriber(settings.build());
        KafkaSubscriber two = new KafkaSubscriber(settings.build())) {
      own[0] = one;
      one.start(first);
      await(() -> first.count() == 200);
      two.start(second);
      await(() -> first.revoked().size() == 2);
      Set<String> moved = new HashSet<>(first.revoked());
      for (String lane : moved) {
        int partition = Integer.parseInt(lane.substring(lane.lastIndexOf('-') + 1));
        long count = first.deliveries().stream().filter(each -> each.lane().equals(lane)).count();
        await(() -> committed(partition) == count);
      }
      publishByKey(20, 1);
      await(() -> first.count() + second.count() == 220);
      assertThat(second.deliveries()).allMatch(each -> moved.contains(each.lane()));
      assertThat(second.deliveries()).hasSizeLessThanOrEqualTo(20).isNotEmpty();
      assertThat(first.deliveries().subList(200, first.count()))
          .noneMatch(each -> moved.contains(each.lane()));
      assertThat(first.lost()).isEmpty();
    }
  }

  @Test
  void marksOnlyWhatAnEarlierOwnerMayHaveHad() {
    server.createTopic(topic, 1, Map.of());
    int window = 10;
    SubscriberRecorder earlier = new SubscriberRecorder();
    try (KafkaSubscriber subscriber = new KafkaSubscriber(config().window(window).build())) {
      subscriber.start(earlier);
      await(() -> subscriber.lag().containsKey(topic + "-0"));
    }
    publish(0, 1_000);
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (KafkaSubscriber subscriber = new KafkaSubscriber(config().window(window).build())) {
      SubscriberListener acknowledging =
          new SubscriberRecorder(
              deliveries -> {
                recorder.delivered(deliveries);
                subscriber.acknowledge(deliveries);
              },
              lanes -> {});
      subscriber.start(acknowledging);
      await(() -> recorder.count() == 1_000);
      publish(1_000, 1_005);
      await(() -> recorder.count() == 1_005);
    }
    List<Boolean> again = recorder.deliveries().stream().map(Delivery::redelivered).toList();
    int most = window + LaneTable.MAX_POLL_RECORDS;
    assertThat(again.subList(0, window)).containsOnly(true);
    assertThat(again.subList(most, 1_005)).containsOnly(false);
  }

  @Test
  void aGroupThatHasNeverReadMarksNothing() {
    server.createTopic(topic, 1, Map.of());
    publish(0, 20);
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (KafkaSubscriber subscriber = new KafkaSubscriber(config().build())) {
      subscriber.start(recorder);
      await(() -> recorder.count() == 20);
      assertThat(recorder.deliveries()).noneMatch(Delivery::redelivered);
    }
    SubscriberRecorder next = new SubscriberRecorder();
    try (KafkaSubscriber subscriber = new KafkaSubscriber(config().build())) {
      subscriber.start(next);
      await(() -> next.count() == 20);
      assertThat(next.deliveries()).allMatch(Delivery::redelivered);
    }
  }

  @Test
  void whatComesToAnIdleLaneIsNotMarked() {
    server.createTopic(topic, 1, Map.of());
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (KafkaSubscriber subscriber = new KafkaSubscriber(config().build())) {
      subscriber.start(recorder);
      String lane = topic + "-0";
      await(() -> subscriber.lag().containsKey(lane));
      publish(0, 5);
      await(() -> recorder.count() == 5);
      assertThat(recorder.deliveries()).noneMatch(Delivery::redelivered);
    }
  }

  @Test
  void boundsTheBytesThatAreOut() {
    server.createTopic(topic, 1, Map.of());
    String large = "x".repeat(100_000);
    KafkaContractSource.publish(
        server, topic, null, IntStream.range(0, 100).mapToObj(i -> large).toList());
    SubscriberRecorder recorder = new SubscriberRecorder();
    KafkaSubscriberConfig settings =
        config()
            .windowBytes(500_000)
            .property("max.partition.fetch.bytes", "200000")
            .property("fetch.max.bytes", "200000")
            .build();
    try (KafkaSubscriber subscriber = new KafkaSubscriber(settings)) {
      subscriber.start(recorder);
      await(() -> subscriber.lag().getOrDefault(topic + "-0", 0L) >= 50);
      assertThat(recorder.count()).isBetween(5, 50);
      await(
          () -> {
            subscriber.acknowledge(recorder.deliveries());
            return recorder.count() == 100;
          });
    }
  }

  @Test
  @Tag("long")
  void slowHandlersCostNoRebalance() {
    server.createTopic(topic, 1, Map.of());
    publish(0, 20);
    SubscriberRecorder recorder = new SubscriberRecorder();
    KafkaSubscriberConfig settings = config().window(5).revocationLimit(Duration.ZERO).build();
    try (KafkaSubscriber subscriber = new KafkaSubscriber(settings)) {
      subscriber.start(recorder);
      await(() -> recorder.count() >= 5);
      // Longer than the client may stay away from its polls.
      Awaitility.await()
          .during(Duration.ofSeconds(35))
          .atMost(Patience.of(Duration.ofSeconds(45)))
          .until(() -> recorder.revoked().isEmpty() && recorder.lost().isEmpty());
      await(
          () -> {
            subscriber.acknowledge(recorder.deliveries());
            return recorder.count() == 20;
          });
      assertThat(recorder.lost()).isEmpty();
    }
  }

  @Test
  void waitsForATopicThatIsMissingAndDoesNotCreateIt() throws Exception {
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (KafkaSubscriber subscriber = new KafkaSubscriber(config().build())) {
      subscriber.start(recorder);
      await(
          () -> recorder.transport().contains("unavailable: these topics do not exist: " + topic));
      try (Admin admin = server.admin()) {
        assertThat(admin.listTopics().names().get(20, TimeUnit.SECONDS)).doesNotContain(topic);
      }
      server.createTopic(topic, 1, Map.of());
      publish(0, 1);
      await(() -> recorder.count() == 1);
      await(() -> recorder.transport().size() == 2);
      assertThat(recorder.transport().get(1)).isEqualTo("available");
    }
  }

  @Test
  void aListenerThatFailsCostsNoMessage() {
    server.createTopic(topic, 1, Map.of());
    publish(0, 5);
    SubscriberRecorder recorder = new SubscriberRecorder();
    boolean[] failed = new boolean[1];
    SubscriberRecorder failing =
        new SubscriberRecorder(
            deliveries -> {
              if (!failed[0]) {
                failed[0] = true;
                throw new IllegalStateException("planted");
              }
              recorder.delivered(deliveries);
            },
            lanes -> {});
    try (KafkaSubscriber subscriber = new KafkaSubscriber(config().build())) {
      subscriber.start(failing);
      await(() -> recorder.count() == 5);
      assertThat(failing.lost()).containsExactly(topic + "-0");
      assertThat(failing.transport()).anyMatch(told -> told.contains("planted"));
    }
  }
}
