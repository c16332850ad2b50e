package io.waybill.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Delivery;
import io.waybill.broker.Reach;
import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.Patience;
import io.waybill.testkit.SubscriberRecorder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Topics that grow, are deleted, are made anew, or are shorter than the group's position. */
@Tag("server")
@Tag("long")
class KafkaTopicHistoryTest {
  private final KafkaServer server = SubscriberBroker.SERVER;
  private final SubscriberRecorder recorder = new SubscriberRecorder();

  private String topic;

  @BeforeEach
  void name(TestInfo test) {
    // A test that is repeated has topics of its own.
    topic = test.getTestMethod().orElseThrow().getName() + "-" + System.nanoTime();
  }

  /** What makes the subscriber a member of its group. */
  Map<String, String> group() {
    return KafkaContractSource.CLASSIC;
  }

  private KafkaSubscriberConfig.Builder config() {
    return KafkaContractSource.config(server.bootstrapServers(), List.of(topic), group())
        .commitInterval(Duration.ofMillis(50))
        .property("metadata.max.age.ms", "1000");
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(30)))
        .pollInterval(Duration.ofMillis(5))
        .pollDelay(Duration.ZERO)
        .until(condition);
  }

  private void publish(int from, int to) {
    KafkaContractSource.publish(server, topic, null, numbers(from, to));
  }

  private static List<String> numbers(int from, int to) {
    return IntStream.range(from, to).mapToObj(Integer::toString).toList();
  }

  private void publishTo(int partition, int from, int to) throws Exception {
    Map<String, Object> config = Map.of("bootstrap.servers", server.bootstrapServers());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (String number : numbers(from, to)) {
        producer
            .send(new ProducerRecord<>(topic, partition, null, number.getBytes(UTF_8)))
            .get(20, TimeUnit.SECONDS);
      }
    }
  }

  private long committed(int partition) throws Exception {
    try (Admin admin = server.admin()) {
      OffsetAndMetadata found =
          admin
              .listConsumerGroupOffsets("group-" + topic)
              .partitionsToOffsetAndMetadata()
              .get(20, TimeUnit.SECONDS)
              .get(new TopicPartition(topic, partition));
      return found == null ? -1 : found.offset();
    }
  }

  private void set(int partition, long position) throws Exception {
    try (Admin admin = server.admin()) {
      admin
          .alterConsumerGroupOffsets(
              "group-" + topic,
              Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(position)))
          .all()
          .get(20, TimeUnit.SECONDS);
    }
  }

  private void delete(long before) throws Exception {
    try (Admin admin = server.admin()) {
      admin
          .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(before)))
          .all()
          .get(20, TimeUnit.SECONDS);
    }
  }

  private List<Delivery> acknowledged(KafkaSubscriber subscriber) {
    List<Delivery> all = recorder.deliveries();
    subscriber.acknowledge(all);
    return all;
  }

  private List<String> bodiesSince(int count) {
    // More may come meanwhile.
    List<String> all = recorder.bodies();
    return all.subList(count, all.size());
  }

  @Test
  void ofAPartitionThatIsAddedNothingIsSkippedByAGroupThatBeganWithTheLatest() throws Exception {
    server.createTopic(topic, 1, Map.of());
    publish(0, 10);
    try (KafkaSubscriber subscriber =
        new KafkaSubscriber(config().start(KafkaSubscriberConfig.Start.LATEST).build())) {
      subscriber.start(recorder);
      await(() -> committed(0) == 10);
      try (Admin admin = server.admin()) {
        admin
            .createPartitions(Map.of(topic, NewPartitions.increaseTo(2)))
            .all()
            .get(20, TimeUnit.SECONDS);
      }
      publishTo(1, 100, 150);
      await(() -> committed(1) >= 0);
      publishTo(1, 150, 151);
      await(() -> recorder.bodies().contains("150"));
      assertThat(recorder.bodies()).containsExactlyElementsOf(numbers(100, 151));
    }
  }

  @Test
  void allMembersOfANewGroupBeginWithTheLatest() throws Exception {
    server.createTopic(topic, 4, Map.of());
    for (int partition = 0; partition < 4; partition++) {
      publishTo(partition, 0, 5);
    }
    KafkaSubscriberConfig settings = config().start(KafkaSubscriberConfig.Start.LATEST).build();
    try (KafkaSubscriber one = new KafkaSubscriber(settings);
        KafkaSubscriber two = new KafkaSubscriber(settings)) {
      one.start(recorder);
      two.start(recorder);
      for (int partition = 0; partition < 4; partition++) {
        int asked = partition;
        await(() -> committed(asked) >= 0);
        publishTo(asked, 10, 11);
      }
      await(() -> recorder.bodies().stream().filter("10"::equals).count() >= 4);
      assertThat(recorder.bodies()).containsOnly("10");
    }
  }

  @Test
  void whereOnlyOnePositionIsGoneNothingIsSkipped() throws Exception {
    server.createTopic(topic, 2, Map.of());
    publishTo(0, 0, 10);
    publishTo(1, 10, 20);
    set(0, 10);
    try (KafkaSubscriber subscriber =
        new KafkaSubscriber(config().start(KafkaSubscriberConfig.Start.LATEST).build())) {
      subscriber.start(recorder);
      await(() -> committed(1) >= 0);
      publishTo(1, 20, 21);
      await(() -> recorder.bodies().contains("20"));
      assertThat(recorder.bodies()).containsExactlyElementsOf(numbers(10, 21));
    }
  }

  @Test
  void aTopicThatIsMadeAnewIsReadFromItsBeginning() throws Exception {
    assertIsReadAnew(300, KafkaSubscriberConfig.Start.EARLIEST);
  }

  @Test
  void aTopicThatIsMadeAnewAndIsShorterIsReadFromItsBeginningToo() throws Exception {
    assertIsReadAnew(30, KafkaSubscriberConfig.Start.EARLIEST);
  }

  @Test
  void aTopicThatIsMadeAnewIsReadFromItsBeginningIfTheGroupBeganWithTheLatest() throws Exception {
    assertIsReadAnew(300, KafkaSubscriberConfig.Start.LATEST);
  }

  private void assertIsReadAnew(int count, KafkaSubscriberConfig.Start start) throws Exception {
    server.createTopic(topic, 1, Map.of());
    CountDownLatch madeAnew = new CountDownLatch(1);
    // A client that does not poll meanwhile never sees that the topic is away.
    SubscriberRecorder busy =
        new SubscriberRecorder(
            deliveries -> {
              recorder.delivered(deliveries);
              if (recorder.bodies().contains("99")) {
                await(() -> madeAnew.getCount() == 0);
              }
            },
            lanes -> {});
    try (KafkaSubscriber subscriber = new KafkaSubscriber(config().start(start).build())) {
      subscriber.start(busy);
      await(() -> committed(0) == 0 && busy.transport().contains("available"));
      publish(0, 99);
      await(() -> acknowledged(subscriber).size() == 99 && committed(0) == 99);
      publish(99, 100);
      await(() -> recorder.count() == 100);
      server.deleteTopic(topic);
      server.createTopic(topic, 1, Map.of());
      publish(1_000, 1_000 + count);
      madeAnew.countDown();
      await(() -> bodiesSince(100).containsAll(numbers(1_000, 1_000 + count)));
      await(() -> acknowledged(subscriber).size() >= 100 + count && committed(0) == count);
      assertThat(bodiesSince(100)).containsOnlyOnceElementsOf(numbers(1_000, 1_001));
    }
  }

  @Test
  void aPositionAboveTheEndGoesOnAtTheEnd() throws Exception {
    server.createTopic(topic, 1, Map.of());
    publish(0, 100);
    set(0, 103);
    try (KafkaSubscriber subscriber = new KafkaSubscriber(config().build())) {
      subscriber.start(recorder);
      await(() -> committed(0) != 103);
      publish(100, 103);
      await(() -> recorder.bodies().contains("102"));
      assertThat(recorder.bodies()).containsExactlyElementsOf(numbers(100, 103));
      acknowledged(subscriber);
      await(() -> committed(0) == 103);
    }
  }

  @Test
  void aTopicThatIsDeletedForGoodIsTold() {
    server.createTopic(topic, 1, Map.of());
    publish(0, 1);
    try (KafkaSubscriber subscriber = new KafkaSubscriber(config().build())) {
      subscriber.start(recorder);
      await(() -> recorder.count() == 1 && recorder.transport().contains("available"));
      server.deleteTopic(topic);
      await(
          () -> recorder.transport().contains("unavailable: these topics do not exist: " + topic));
    }
  }

  @Test
  void whatIsToBeReadAgainComesAgainAndItsPositionGoesBack() throws Exception {
    server.createTopic(topic, 1, Map.of());
    publish(0, 100);
    try (KafkaSubscriber subscriber = new KafkaSubscriber(config().build())) {
      subscriber.start(recorder);
      await(() -> acknowledged(subscriber).size() == 100 && committed(0) == 100);
      String lane = topic + "-0";
      assertThat(subscriber.reach()).isEqualTo(Map.of(lane, new Reach(0, 100, 100)));
      subscriber.rewind(Map.of(lane, 60L, topic + "-1", 3L));
      await(() -> recorder.count() == 140 && committed(0) == 60);
      assertThat(bodiesSince(100)).isEqualTo(numbers(60, 100));
      assertThat(recorder.lost()).containsExactly(lane);
      assertThat(subscriber.reach()).isEqualTo(Map.of(lane, new Reach(60, 60, 100)));
      acknowledged(subscriber);
      await(() -> committed(0) == 100);
    }
  }

  @Test
  void whatIsToBeReadAgainAndIsDeletedCountsAsRead() throws Exception {
    server.createTopic(topic, 1, Map.of());
    publish(0, 100);
    try (KafkaSubscriber subscriber = new KafkaSubscriber(config().build())) {
      subscriber.start(recorder);
      await(() -> acknowledged(subscriber).size() == 100 && committed(0) == 100);
      delete(80);
      String lane = topic + "-0";
      subscriber.rewind(Map.of(lane, 60L));
      await(() -> recorder.count() == 120);
      assertThat(bodiesSince(100)).isEqualTo(numbers(80, 100));
      assertThat(subscriber.reach()).isEqualTo(Map.of(lane, new Reach(60, 80, 100)));
    }
  }
}
