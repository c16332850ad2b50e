package io.waybill.proof.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Answers of a real broker, lost, late and cut, seen by its real client. */
@Tag("server")
@Tag("long")
@Timeout(120)
class KafkaProxyTest {
  private static KafkaServer server;

  private Proxy proxy;
  private String topic;

  @BeforeAll
  static void launch() {
    server = KafkaServer.launch();
  }

  @AfterAll
  static void end() {
    server.close();
  }

  @BeforeEach
  void start(TestInfo test) {
    proxy = Proxy.start(Protocol.KAFKA, server.proxiedPort(), server.proxyPort());
    topic = test.getTestMethod().orElseThrow().getName();
    server.createTopic(topic, 1, Map.of());
  }

  @AfterEach
  void stop() {
    proxy.close();
  }

  private KafkaProducer<byte[], byte[]> producer(boolean retries) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", "127.0.0.1:" + proxy.port());
    settings.put("acks", "all");
    settings.put("enable.idempotence", retries);
    settings.put("retries", retries ? 100 : 0);
    int patience = (int) Patience.of(Duration.ofSeconds(1)).toMillis();
    settings.put("request.timeout.ms", patience);
    settings.put("delivery.timeout.ms", retries ? 60_000 : patience + 500);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private void send(KafkaProducer<byte[], byte[]> producer)
      throws ExecutionException, InterruptedException, java.util.concurrent.TimeoutException {
    producer.send(new ProducerRecord<>(topic, new byte[100_000])).get(30, TimeUnit.SECONDS);
  }

  private long stored() throws Exception {
    TopicPartition partition = new TopicPartition(topic, 0);
    try (Admin admin = server.admin()) {
      return admin
          .listOffsets(Map.of(partition, OffsetSpec.latest()))
          .partitionResult(partition)
          .get(20, TimeUnit.SECONDS)
          .offset();
    }
  }

  private static Rule.Counted second() {
    return Rule.on(Match.produceResponse()).nth(2);
  }

  @Test
  void aDroppedResponseLeavesTheProducerInDoubtAndTheRecordInPlace() throws Exception {
    Rule rule = proxy.add(second().before(Action.drop()));
    try (var producer = producer(false)) {
      send(producer);
      assertThatThrownBy(() -> send(producer)).hasCauseInstanceOf(RetriableException.class);
    }
    assertThat(stored()).isEqualTo(2);
    assertThat(proxy.history().count(rule)).isEqualTo(1);
  }

  @Test
  void anIdempotentProducerRepeatsWhatWasNotAnswered() throws Exception {
    proxy.add(second().before(Action.drop()));
    proxy.add(Rule.on(Match.produceResponse()).nth(4).before(Action.reset()));
    try (var producer = producer(true)) {
      send(producer);
      send(producer);
      send(producer);
    }
    assertThat(stored()).isEqualTo(3);
    assertThat(proxy.history().entries()).hasSize(2);
  }

  @Test
  void aRequestCutOffIsRepeated() throws Exception {
    proxy.add(Rule.on(Match.produceRequest()).nth(2).before(Action.reset()));
    try (var producer = producer(true)) {
      send(producer);
      send(producer);
    }
    assertThat(stored()).isEqualTo(2);
  }

  @Test
  void aConnectionCutAfterTheResponseHasToldTheProducer() throws Exception {
    proxy.add(second().after(Action.close()));
    try (var producer = producer(false)) {
      send(producer);
      send(producer);
      await().until(() -> proxy.history().entries().size() == 1);
    }
    assertThat(stored()).isEqualTo(2);
  }

  @Test
  void aDelayedResponseIsLate() throws Exception {
    proxy.add(second().before(Action.delay(Duration.ofMillis(500))));
    try (var producer = producer(true)) {
      send(producer);
      Instant start = Instant.now();
      send(producer);
      assertThat(Duration.between(start, Instant.now())).isGreaterThan(Duration.ofMillis(490));
    }
    assertThat(stored()).isEqualTo(2);
  }

  @Test
  void aDuplicatedResponseConfusesTheClientAndLosesNothing() throws Exception {
    Rule rule = proxy.add(second().before(Action.duplicate()));
    try (var producer = producer(true)) {
      for (int i = 0; i < 4; i++) {
        send(producer);
      }
    }
    assertThat(stored()).isEqualTo(4);
    assertThat(proxy.history().count(rule)).isEqualTo(1);
  }
}
