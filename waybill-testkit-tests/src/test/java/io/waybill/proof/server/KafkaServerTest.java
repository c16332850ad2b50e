package io.waybill.proof.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class KafkaServerTest {
  private static KafkaServer server;

  @BeforeAll
  static void launch() {
    server = KafkaServer.launch();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @Test
  void whatWasStoredSurvivesAKillAndAStop() throws Exception {
    server.createTopic("kept", 1, Map.of());
    send("first");
    String address = server.bootstrapServers();
    server.kill();
    server.start();
    send("second");
    server.stop();
    server.start();
    assertThat(server.bootstrapServers()).isEqualTo(address);
    assertThat(readAll(2)).containsExactly("first", "second");
  }

  @Test
  void aFrozenBrokerGoesOnAfterTheThaw() throws Exception {
    try (Admin admin = server.admin()) {
      admin.describeCluster().nodes().get(10, TimeUnit.SECONDS);
      server.freeze();
      var nodes = admin.describeCluster().nodes();
      assertThat(nodes.isDone()).isFalse();
      server.thaw();
      assertThat(nodes.get(20, TimeUnit.SECONDS)).hasSize(1);
    }
  }

  @Test
  void closeEndsTheProcessAndRemovesItsFiles() {
    KafkaServer other = KafkaServer.launch();
    long pid = other.pid();
    other.close();
    other.close();
    assertThat(ProcessHandle.of(pid)).isEmpty();
    assertThat(other.logFile()).doesNotExist();
  }

  private static void send(String value) throws Exception {
    Map<String, Object> config = Map.of("bootstrap.servers", server.bootstrapServers());
    try (var producer =
        new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>("kept", value)).get(20, TimeUnit.SECONDS);
    }
  }

  private static List<String> readAll(int count) {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers", server.bootstrapServers(),
            "group.id", "readers",
            "auto.offset.reset", "earliest");
    List<String> seen = new ArrayList<>();
    try (var consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      consumer.subscribe(List.of("kept"));
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(30)))
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(200)).forEach(r -> seen.add(r.value()));
                return seen.size() >= count;
              });
    }
    assertThat(seen).allMatch(value -> value.getBytes(UTF_8).length > 0);
    return seen;
  }
}
