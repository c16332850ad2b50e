package io.waybill.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Delivery;
import io.waybill.broker.SubscriberListener;
import io.waybill.proof.proxy.Action;
import io.waybill.proof.proxy.Match;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.proxy.Rule;
import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.SubscriberRecorder;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

@Tag("server")
class KafkaSubscriberTest {
  private final KafkaServer server = SubscriberBroker.SERVER;

  private String topic;

  @BeforeEach
  void name(TestInfo test) {
    // A test that is run again has a topic of its own.
    topic = test.getTestMethod().orElseThrow().getName() + "-" + System.nanoTime();
  }

  private KafkaSubscriberConfig.Builder config() {
    return KafkaContractSource.config(server.bootstrapServers(), List.of(topic));
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(40))
        .pollInterval(Duration.ofMillis(5))
        .pollDelay(Duration.ZERO)
        .until(condition);
  }

  private void publish(int from, int to) {
    KafkaContractSource.publish(
        server, topic, null, IntStream.range(from, to).mapToObj(Integer::toString).toList());
  }

  private void publishByKey(int keys, int numbers) {
    for (int key = 0; key < keys; key++) {
      String prefix = "k" + key + "/";
      KafkaContractSource.publish(
          server,
          topic,
          "k" + key,
          IntStream.range(0, numbers).mapToObj(number -> prefix + number).toList());
    }
  }

  private long committed(int partition) throws Exception {
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
  void commitsUpToTheFirstMessageThatIsNotAcknowledged() throws Exception {
    server.createTopic(topic, 1, Map.of());
    publish(0, 20);
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (KafkaSubscriber subscriber =
        new KafkaSubscriber(config().commitInterval(Duration.ofMillis(50)).build())) {
      subscriber.start(recorder);
      await(() -> recorder.count() == 20);
      List<Delivery> all = recorder.deliveries();
      subscriber.acknowledge(all.subList(5, 20));
      subscriber.acknowledge(all.subList(0, 3));
      await(() -> committed(0) == 3);
      subscriber.acknowledge(all.subList(4, 5));
      subscriber.acknowledge(all.subList(0, 3));
      subscriber.acknowledge(all.subList(3, 4));
      await(() -> committed(0) == 20);
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
    List<Boolean> again = recorder.deliveries().stream().map(Delivery::again).toList();
    int most = window + ConsumerProperties.MAX_POLL_RECORDS;
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
      assertThat(recorder.deliveries()).noneMatch(Delivery::again);
    }
    SubscriberRecorder next = new SubscriberRecorder();
    try (KafkaSubscriber subscriber = new KafkaSubscriber(config().build())) {
      subscriber.start(next);
      await(() -> next.count() == 20);
      assertThat(next.deliveries()).allMatch(Delivery::again);
    }
  }

  @Test
  void aNewGroupReadsNothingUntilItsStartIsCommitted() {
    server.createTopic(topic, 1, Map.of());
    publish(0, 5);
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (Proxy proxy = KafkaContractSource.proxy(server);
        KafkaSubscriber subscriber =
            new KafkaSubscriber(
                KafkaContractSource.config("127.0.0.1:" + proxy.port(), List.of(topic)).build())) {
      Rule refusal = proxy.add(Rule.on(Match.offsetCommitResponse()).each().before(Action.reset()));
      subscriber.start(recorder);
      // Longer than the first attempt takes.
      Awaitility.await()
          .during(Duration.ofSeconds(5))
          .atMost(Duration.ofSeconds(40))
          .until(() -> proxy.history().count(refusal) > 0 && recorder.count() == 0);
      proxy.heal();
      await(() -> recorder.count() == 5);
      assertThat(recorder.deliveries()).noneMatch(Delivery::again);
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
      assertThat(recorder.deliveries()).noneMatch(Delivery::again);
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
          .atMost(Duration.ofSeconds(45))
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
  void beginsWithTheLatestIfThatIsWantedAndKeepsThatPlace() throws Exception {
    server.createTopic(topic, 1, Map.of());
    publish(0, 10);
    SubscriberRecorder recorder = new SubscriberRecorder();
    KafkaSubscriberConfig settings = config().start(KafkaSubscriberConfig.Start.LATEST).build();
    try (KafkaSubscriber subscriber = new KafkaSubscriber(settings)) {
      subscriber.start(recorder);
      await(() -> committed(0) == 10);
    }
    publish(10, 12);
    try (KafkaSubscriber subscriber = new KafkaSubscriber(settings)) {
      subscriber.start(recorder);
      await(() -> recorder.count() == 2);
      assertThat(recorder.bodies()).containsExactly("10", "11");
    }
  }

  @Test
  @Tag("long")
  void refusesToBeginIfThatIsWanted() throws Exception {
    server.createTopic(topic, 1, Map.of());
    publish(0, 10);
    SubscriberRecorder recorder = new SubscriberRecorder();
    KafkaSubscriberConfig settings = config().start(KafkaSubscriberConfig.Start.REFUSE).build();
    try (KafkaSubscriber subscriber = new KafkaSubscriber(settings)) {
      subscriber.start(recorder);
      await(() -> String.join(" ", recorder.transport()).contains("has no position in"));
      assertThat(recorder.count()).isZero();
      try (Admin admin = server.admin()) {
        // Taken once no member is in the group, between two attempts.
        Map<TopicPartition, OffsetAndMetadata> at =
            Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(8));
        Awaitility.await()
            .ignoreExceptions()
            .until(
                () -> {
                  admin
                      .alterConsumerGroupOffsets("group-" + topic, at)
                      .all()
                      .get(20, TimeUnit.SECONDS);
                  return true;
                });
      }
      await(() -> recorder.count() == 2);
      assertThat(recorder.bodies()).containsExactly("8", "9");
      await(() -> recorder.transport().get(recorder.transport().size() - 1).equals("available"));
    }
  }

  @Test
  void goesOnWithTheOldestWhereMessagesWereDeletedUnread() throws Exception {
    server.createTopic(topic, 1, Map.of());
    publish(0, 20);
    SubscriberRecorder first = new SubscriberRecorder();
    try (KafkaSubscriber subscriber = new KafkaSubscriber(config().build())) {
      subscriber.start(first);
      await(() -> first.count() == 20);
      subscriber.acknowledge(first.deliveries().subList(0, 5));
    }
    TopicPartition partition = new TopicPartition(topic, 0);
    try (Admin admin = server.admin()) {
      admin
          .deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(12)))
          .all()
          .get(20, TimeUnit.SECONDS);
    }
    SubscriberRecorder second = new SubscriberRecorder();
    try (KafkaSubscriber subscriber = new KafkaSubscriber(config().build())) {
      subscriber.start(second);
      await(() -> second.count() == 8);
      assertThat(second.bodies()).startsWith("12").endsWith("19");
      assertThat(second.lost()).containsExactly(topic + "-0");
      subscriber.acknowledge(second.deliveries());
      await(() -> committed(0) == 20);
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
  void readsNothingOfAnAbortedTransactionAndCommitsBeyondIt() throws Exception {
    server.createTopic(topic, 1, Map.of());
    Map<String, Object> config =
        Map.of("bootstrap.servers", server.bootstrapServers(), "transactional.id", topic);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      Future<RecordMetadata> first =
          producer.send(new ProducerRecord<>(topic, "committed".getBytes(UTF_8)));
      producer.commitTransaction();
      assertThat(first).isDone();
      producer.beginTransaction();
      Future<RecordMetadata> second =
          producer.send(new ProducerRecord<>(topic, "aborted".getBytes(UTF_8)));
      producer.flush();
      producer.abortTransaction();
      assertThat(second).isDone();
    }
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (KafkaSubscriber subscriber = new KafkaSubscriber(config().build())) {
      subscriber.start(recorder);
      await(() -> recorder.count() == 1);
      subscriber.acknowledge(recorder.deliveries());
      // Two messages and the two ends of their transactions.
      await(() -> committed(0) == 4);
      assertThat(recorder.bodies()).containsExactly("committed");
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
