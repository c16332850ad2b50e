package io.waybill.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Delivery;
import io.waybill.proof.proxy.Action;
import io.waybill.proof.proxy.Match;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.proxy.Rule;
import io.waybill.testkit.Patience;
import io.waybill.testkit.SubscriberRecorder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where a group begins, and what it commits. */
@Tag("server")
class KafkaPositionsTest extends SubscribedTopic {
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
          .atMost(Patience.of(Duration.ofSeconds(40)))
          .until(() -> proxy.history().count(refusal) > 0 && recorder.count() == 0);
      proxy.heal();
      await(() -> recorder.count() == 5);
      assertThat(recorder.deliveries()).noneMatch(Delivery::redelivered);
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
}
