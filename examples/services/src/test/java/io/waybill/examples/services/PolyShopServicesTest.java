package io.waybill.examples.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.examples.services.inventory.InventoryApplication;
import io.waybill.examples.services.order.OrderApplication;
import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.server.PostgresServer;
import io.waybill.testkit.Patience;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** From a request to the stock, on real servers. */
@Tag("server")
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PolyShopServicesTest {
  private static final String PLACED = "order.order.placed.v1";
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(1));
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private PostgresServer postgres;
  private KafkaBroker kafka;
  private ConfigurableApplicationContext orders;
  private ConfigurableApplicationContext inventory;
  private JdbcClient stock;

  @BeforeAll
  void start() {
    postgres = PostgresServer.launch();
    kafka = KafkaBroker.launch(List.of(PLACED));
    orders = run(OrderApplication.class, "order", WebApplicationType.SERVLET);
    inventory = run(InventoryApplication.class, "inventory", WebApplicationType.NONE);
    stock = inventory.getBean(JdbcClient.class);
  }

  @AfterAll
  void stop() {
    inventory.close();
    orders.close();
    kafka.close();
    postgres.close();
  }

  private ConfigurableApplicationContext run(
      Class<?> application, String name, WebApplicationType web) {
    postgres.createDatabase(name + "_service");
    return ServiceCommand.run(
        application,
        name,
        web,
        Map.of(
            "spring.datasource.url",
            postgres.jdbcUrl(name + "_service"),
            "spring.kafka.bootstrap-servers",
            kafka.server().bootstrapServers(),
            "server.port",
            0,
            "management.tracing.export.enabled",
            false));
  }

  /** Places an order of one line; returns its id. */
  private String order(String product, int quantity, String... headers) throws Exception {
    HttpResponse<String> answer =
        ServiceClient.of(orders)
            .post(
                "/orders",
                """
                {"userId": "me", "items": [
                  {"productId": "%s", "quantity": %d, "unitPrice": 9.99}]}"""
                    .formatted(product, quantity),
                headers);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return JSON.readTree(answer.body()).path("orderId").asString();
  }

  /** The first message of an order on a topic. */
  private KafkaMessage arrived(String topic, String orderId) {
    await().atMost(PATIENCE).until(() -> !arrivals(topic, orderId).isEmpty());
    return arrivals(topic, orderId).get(0);
  }

  private List<KafkaMessage> arrivals(String topic, String orderId) {
    return kafka.tail().messages().stream()
        .filter(message -> message.topic().equals(topic) && orderId.equals(message.key()))
        .toList();
  }

  private void send(String key, String... envelopes) throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.server().bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      for (String envelope : envelopes) {
        producer.send(new ProducerRecord<>(PLACED, key, envelope)).get();
      }
    }
  }

  /** An envelope with changed ids, as another producer would write it. */
  private static String changed(String envelope, String eventId, String orderId) {
    ObjectNode root = (ObjectNode) JSON.readTree(envelope);
    root.put("eventId", eventId);
    ((ObjectNode) root.get("data")).put("orderId", orderId);
    return root.toString();
  }

  private int left(String product) {
    return stock
        .sql("select quantity from stock where product_id = ?")
        .param(product)
        .query(Integer.class)
        .single();
  }

  private void awaitMovement(String orderId) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                stock
                        .sql("select count(*) from stock_movement where movement_id = ?")
                        .param(orderId + "/0")
                        .query(Integer.class)
                        .single()
                    == 1);
  }

  @Test
  void theEnvelopeHasTheMetadataOfTheRequest() throws Exception {
    String orderId = order("pen", 1, "X-Correlation-Id", "cart-7", "Idempotency-Key", "click-1");

    JsonNode envelope = JSON.readTree(arrived(PLACED, orderId).value());
    assertThat(envelope.path("source").asString()).isEqualTo("order-service");
    assertThat(envelope.path("eventType").asString()).isEqualTo(PLACED);
    assertThat(envelope.path("data").path("orderId").asString()).isEqualTo(orderId);
    JsonNode metadata = envelope.path("metadata");
    assertThat(metadata.path("correlationId").asString()).isEqualTo("cart-7");
    assertThat(metadata.path("idempotencyKey").asString()).isEqualTo("click-1");
    assertThat(metadata.path("userId").asString()).isEqualTo("me");
    assertThat(metadata.path("traceId").asString()).matches("[0-9a-f]{32}");
  }

  @Test
  void anOrderIsTakenOnceHoweverOftenItsEventComes() throws Exception {
    int before = left("book");
    String orderId = order("book", 3);
    awaitMovement(orderId);
    String envelope = arrived(PLACED, orderId).value();

    // A copy, a second event of the order, and behind them in their key what tells of their end.
    send(
        orderId,
        envelope,
        changed(envelope, "second-event", orderId),
        changed(envelope, "marker", "marker"));
    awaitMovement("marker");

    assertThat(left("book")).isEqualTo(before - 6);
    assertThat(arrivals(PLACED + ".dlt", orderId)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -5})
  void anEventThatWouldAddToTheStockGoesToTheDeadLetterTopic(int quantity) throws Exception {
    String orderId = order("pen", 1);
    awaitMovement(orderId);
    int before = left("pen");
    String refused = "refused" + quantity;
    ObjectNode event =
        (ObjectNode) JSON.readTree(changed(arrived(PLACED, orderId).value(), refused, refused));
    ((ObjectNode) event.at("/data/items/0")).put("quantity", quantity);

    send(refused, event.toString());

    assertThat(JSON.readTree(arrived(PLACED + ".dlt", refused).value()).path("errorMessage"))
        .asString()
        .contains("quantity must be at least 1, but is " + quantity);
    assertThat(left("pen")).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          rug | 1   | Validation failed: product not found: rug
          ink | 100 | Validation failed: out of stock: ink
          """)
  void whatCannotBeTakenGoesToTheDeadLetterTopic(String product, int quantity, String reason)
      throws Exception {
    stock
        .sql("insert into stock (product_id, quantity) values ('ink', 99) on conflict do nothing")
        .update();
    String orderId = order(product, quantity);

    JsonNode letter = JSON.readTree(arrived(PLACED + ".dlt", orderId).value());
    assertThat(letter.path("errorMessage").asString()).contains(reason);
    assertThat(letter.path("consumerService").asString()).isEqualTo("inventory-service");
    assertThat(letter.path("failedAt").asString()).isNotEmpty();
    assertThat(letter.path("originalEvent"))
        .isEqualTo(JSON.readTree(arrived(PLACED, orderId).value()));
    assertThat(letter.path("eventId")).isEqualTo(letter.path("originalEvent").path("eventId"));
    assertThat(left("ink")).isEqualTo(99);
    assertThat(
            stock
                .sql("select count(*) from stock_movement where movement_id = ?")
                .param(orderId + "/0")
                .query(Integer.class)
                .single())
        .isZero();
  }
}
