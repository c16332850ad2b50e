package io.waybill.examples.polyshop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** How a Java service publishes its table. */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PublishingTest {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(1));
  private static final String TOPIC = Topics.ORDER_PLACED;

  private PostgresServer postgres;
  private KafkaServer kafka;
  private KafkaTail tail;
  private ConfigurableApplicationContext service;
  private JdbcClient jdbc;

  @BeforeAll
  void start() {
    postgres = PostgresServer.launch();
    kafka = KafkaServer.launch();
    kafka.createTopic(TOPIC, 1, Map.of("max.message.bytes", "2000"));
    kafka.createTopic(Topics.letters(TOPIC), 1, Map.of());
    tail = new KafkaTail(kafka.bootstrapServers(), List.of(TOPIC, Topics.letters(TOPIC)));
    postgres.createDatabase("order_service");
    service =
        PolyShopService.start(
            "order",
            "--spring.datasource.url=" + postgres.jdbcUrl("order_service"),
            "--server.port=0",
            "--KAFKA=" + kafka.bootstrapServers(),
            "--IDLE_SLEEP_MS=20",
            "--RETRY_SLEEP_MS=20",
            "--waybill.inbox.enabled=false",
            "--management.tracing.export.enabled=false");
    jdbc = service.getBean(JdbcClient.class);
  }

  @AfterAll
  void stop() {
    service.close();
    tail.close();
    kafka.close();
    postgres.close();
  }

  /** As any writer does it; returns the event's id. */
  private String insert(String aggregateId, String text) {
    UUID id = UUID.randomUUID();
    jdbc.sql(
            """
            insert into outbox_events (id, aggregate_id, event_type, payload)
            values (?, ?, ?, json_build_object('orderId', ?::text, 'text', ?::text))""")
        .params(id, aggregateId, TOPIC, aggregateId, text)
        .update();
    return id.toString();
  }

  private String column(String column, String id) {
    return jdbc.sql("select " + column + "::text from outbox_events where id::text = ?")
        .param(id)
        .query(String.class)
        .single();
  }

  private List<KafkaMessage> arrived(String key) {
    return tail.messages().stream().filter(message -> key.equals(message.key())).toList();
  }

  @Test
  void theEnvelopeTheTopicAndTheKeyAreAsDocumented() {
    String id = insert("o-1", "hello");
    await().atMost(PATIENCE).until(() -> !arrived("o-1").isEmpty());

    KafkaMessage message = arrived("o-1").get(0);
    JsonNode envelope = JsonMapper.builder().build().readTree(message.value());
    assertThat(message.topic()).isEqualTo(TOPIC);
    assertThat(envelope.propertyNames())
        .containsExactlyInAnyOrder(
            "eventId", "timestamp", "eventType", "version", "source", "data", "metadata");
    assertThat(envelope.path("eventId").asString()).isEqualTo(id);
    assertThat(envelope.path("eventType").asString()).isEqualTo(TOPIC);
    assertThat(envelope.path("version").asInt()).isOne();
    assertThat(envelope.path("source").asString()).isEqualTo("order-service");
    assertThat(envelope.at("/data/text").asString()).isEqualTo("hello");
    assertThat(envelope.at("/metadata/idempotencyKey").asString()).isEqualTo(id);
    await().atMost(PATIENCE).until(() -> column("processed", id).equals("true"));
    assertThat(column("processed_at is not null", id)).isEqualTo("true");
  }

  /** The topic of dead letters is the consumers'. */
  @Test
  void aPermanentErrorKeepsItsMessageHasNoLetterAndLetsTheEntityGoOn() {
    String refused = insert("o-2", "x".repeat(3_000));
    String next = insert("o-2", "small");
    await().atMost(PATIENCE).until(() -> column("processed", next).equals("true"));

    assertThat(column("processed", refused)).isEqualTo("false");
    assertThat(column("error_message", refused)).contains("max.message.bytes");
    assertThat(arrived("o-2")).extracting(KafkaMessage::topic).containsExactly(TOPIC);
  }
}
