package io.waybill.examples.polyshop;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.examples.polyshop.NewOrder.Item;
import io.waybill.outbox.DuplicateEventException;
import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.testkit.Patience;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The documented table on its way to Kafka: envelope, topic, key, errors. */
@Tag("server")
class OutboxPublisherTest {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(2));
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final AtomicInteger NUMBER = new AtomicInteger();
  // Random letters, since what fits when it is compressed is sent.
  private static final String LARGE =
      "{\"text\":\""
          + new Random(1).ints(4_000, 'a', 'z' + 1).mapToObj(Character::toString).collect(joining())
          + "\"}";

  private static PostgresServer postgres;
  private static KafkaServer kafka;

  private final OutboxEventRepository outbox = new OutboxEventRepository();
  private DataSource database;
  private String topic;

  @BeforeAll
  static void launch() {
    postgres = PostgresServer.launch();
    kafka = KafkaServer.launch();
  }

  @AfterAll
  static void close() {
    kafka.close();
    postgres.close();
  }

  /** A database and a topic for each test. */
  @BeforeEach
  void begin() throws SQLException {
    int number = NUMBER.incrementAndGet();
    postgres.createDatabase("shop" + number);
    database = postgres.dataSource("shop" + number);
    OrderService.createTables(database);
    topic = "order.order.tested.v" + number;
  }

  private OutboxPublisher publisher(String retrySleepMillis) {
    Map<String, String> environment =
        Map.of("IDLE_SLEEP_MS", "50", "RETRY_SLEEP_MS", retrySleepMillis);
    return OutboxPublisher.start(
        PublisherSettings.of("order-service", environment), database, kafka.bootstrapServers());
  }

  private static KafkaTail tail(String... topics) {
    return new KafkaTail(kafka.bootstrapServers(), List.of(topics));
  }

  private OutboxEvent save(String aggregateId, String payload) throws SQLException {
    OutboxEvent event = OutboxEvent.of(UUID.randomUUID(), aggregateId, topic, 1, payload);
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      outbox.save(connection, event, new EventMetadata(null, null, null, "u-1"));
      connection.commit();
    }
    return event;
  }

  private OutboxEvent row(OutboxEvent event) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return outbox.findByAggregateId(connection, event.aggregateId()).stream()
          .filter(row -> row.id().equals(event.id()))
          .findFirst()
          .orElseThrow();
    }
  }

  private void awaitProcessed(OutboxEvent event) {
    await().atMost(PATIENCE).until(() -> row(event).processed());
  }

  @Test
  void theEnvelopeTheTopicAndTheKeyAreAsDocumented() throws Exception {
    kafka.createTopic(DomainEventFactory.ORDER_PLACED, 4, Map.of());
    OrderService orders = new OrderService(database, outbox);
    UUID order =
        orders.createOrder(
            new NewOrder("user-1", List.of(new Item("book", 2, new BigDecimal("12.50")))),
            new EventMetadata(
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "checkout-7",
                "request-3",
                "user-1"));
    try (KafkaTail tail = tail(DomainEventFactory.ORDER_PLACED);
        OutboxPublisher publisher = publisher("100")) {
      await().atMost(PATIENCE).until(() -> tail.count() == 1);
      KafkaMessage message = tail.messages().get(0);
      OutboxEvent row = only(order);
      awaitProcessed(row);
      publisher.stop();

      assertThat(message.topic()).isEqualTo("order.order.placed.v1");
      assertThat(message.key()).isEqualTo(order.toString());
      JsonNode envelope = JSON.readTree(message.value());
      String timestamp = envelope.path("timestamp").asString();
      assertThat(timestamp).endsWith("Z");
      assertThat(Instant.parse(timestamp)).isEqualTo(row.createdAt());
      assertThat(envelope)
          .isEqualTo(
              JSON.readTree(
                  """
                  {"eventId": "%s", "timestamp": "%s", "eventType": "order.order.placed.v1",
                   "version": 1, "source": "order-service",
                   "data": {"orderId": "%s", "userId": "user-1", "items": [
                       {"productId": "book", "quantity": 2, "unitPrice": 12.50}],
                     "totalAmount": 25.00},
                   "metadata": {"traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
                     "correlationId": "checkout-7", "idempotencyKey": "request-3",
                     "userId": "user-1"}}"""
                      .formatted(row.id(), timestamp, order)));
      assertThat(only(order).processedAt()).isAfterOrEqualTo(row.createdAt());
      assertThat(only(order).errorMessage()).isNull();
    }
  }

  private OutboxEvent only(UUID order) throws SQLException {
    try (Connection connection = database.getConnection()) {
      List<OutboxEvent> events = outbox.findByAggregateId(connection, order.toString());
      assertThat(events).hasSize(1);
      return events.get(0);
    }
  }

  @Test
  void eventsOfAnEntityArriveInOrder() throws Exception {
    kafka.createTopic(topic, 4, Map.of());
    OutboxEvent last = save("o-0", "{\"n\":0}");
    for (int i = 1; i < 150; i++) {
      last = save("o-" + i % 3, "{\"n\":" + i + "}");
    }
    try (KafkaTail tail = tail(topic);
        OutboxPublisher publisher = publisher("100")) {
      await().atMost(PATIENCE).until(() -> tail.count() == 150);
      awaitProcessed(last);
      publisher.stop();

      for (String key : List.of("o-0", "o-1", "o-2")) {
        assertThat(tail.messages())
            .filteredOn(message -> key.equals(message.key()))
            .extracting(message -> JSON.readTree(message.value()).path("data").path("n").asInt())
            .isSorted()
            .hasSize(50);
      }
    }
  }

  @Test
  void aTemporaryErrorIsShownRepeatedAndClearedBySuccess() throws Exception {
    kafka.createTopic(topic, 1, Map.of("max.message.bytes", "1000"));
    OutboxEvent event = save("o-1", LARGE);
    OutboxEvent next = save("o-1", "{\"n\":2}");
    try (KafkaTail tail = tail(topic);
        OutboxPublisher publisher = publisher("4000")) {
      await().atMost(PATIENCE).until(() -> errorOf(event) != null);
      assertThat(errorOf(event)).contains("max.message.bytes");
      assertThat(row(event).processed()).isFalse();

      allowLargeMessages();
      awaitProcessed(event);
      awaitProcessed(next);
      await().atMost(PATIENCE).until(() -> tail.count() == 2);
      publisher.stop();

      assertThat(errorOf(event)).isNull();
      assertThat(row(event).processedAt()).isNotNull();
      assertThat(tail.messages())
          .extracting(message -> JSON.readTree(message.value()).path("eventId").asString())
          .as("the key waits for its first event")
          .containsExactly(event.id().toString(), next.id().toString());
    }
  }

  private @Nullable String errorOf(OutboxEvent event) throws SQLException {
    return row(event).errorMessage();
  }

  private void allowLargeMessages() throws Exception {
    try (Admin admin = kafka.admin()) {
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.TOPIC, topic),
                  List.of(
                      new AlterConfigOp(
                          new ConfigEntry("max.message.bytes", "100000"), OpType.SET))))
          .all()
          .get();
    }
  }

  @Test
  void aPermanentErrorKeepsItsMessageGoesToTheDltAndLetsTheEntityGoOn() throws Exception {
    kafka.createTopic(topic, 1, Map.of("max.message.bytes", "1000"));
    kafka.createTopic(topic + ".dlt", 1, Map.of());
    OutboxEvent event = save("o-1", LARGE);
    OutboxEvent next = save("o-1", "{\"n\":2}");
    try (KafkaTail tail = tail(topic);
        KafkaTail dead = tail(topic + ".dlt");
        OutboxPublisher publisher = publisher("20")) {
      awaitProcessed(next);
      await().atMost(PATIENCE).until(() -> tail.count() == 1 && dead.count() == 1);
      publisher.stop();

      assertThat(row(event).processed()).isFalse();
      assertThat(row(event).processedAt()).isNull();
      assertThat(errorOf(event)).contains("max.message.bytes");
      assertThat(JSON.readTree(dead.messages().get(0).value()).path("eventId").asString())
          .isEqualTo(event.id().toString());
      assertThat(dead.messages().get(0).headers())
          .containsEntry("waybill-dead-reason", "record-too-large");
    }
  }

  @Test
  void anOutageKillsNoEvent() throws Exception {
    kafka.createTopic(topic, 1, Map.of());
    try (OutboxPublisher publisher = publisher("20")) {
      awaitProcessed(save("o-1", "{\"n\":1}"));
      kafka.kill();
      OutboxEvent during = save("o-1", "{\"n\":2}");
      OutboxEvent another = save("o-2", "{\"n\":3}");
      kafka.start();
      awaitProcessed(during);
      awaitProcessed(another);
      publisher.stop();
    }
    try (KafkaTail tail = tail(topic)) {
      await().atMost(PATIENCE).until(() -> tail.count() >= 3);
      assertThat(tail.messages())
          .extracting(message -> JSON.readTree(message.value()).path("data").path("n").asInt())
          .contains(1, 2, 3);
    }
  }

  @Test
  void anEventIdIsSavedOnce() throws Exception {
    OutboxEvent event = save("o-1", "{}");
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      assertThatThrownBy(
              () -> outbox.save(connection, event, new EventMetadata(null, null, null, "u-1")))
          .isInstanceOf(DuplicateEventException.class)
          .hasMessageContaining(event.id().toString());
    }
  }
}
