package io.waybill.examples.polyshop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.waybill.opentelemetry.WaybillTracing;
import io.waybill.proof.server.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code POST /orders} over HTTP, on a real database. */
@Tag("server")
class OrderApiTest {
  private static final String GOOD =
      """
      {"userId": "u-1", "items": [
        {"productId": "book", "quantity": 2, "unitPrice": 12.50},
        {"productId": "pen", "quantity": 1, "unitPrice": 0.99}]}""";
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @RegisterExtension
  static final OpenTelemetryExtension telemetry = OpenTelemetryExtension.create();

  private static PostgresServer postgres;
  private static OrderApi api;

  @BeforeAll
  static void launch() throws SQLException {
    postgres = PostgresServer.launch();
    OrderService.createTables(postgres.dataSource());
    api = OrderApi.start(new OrderService(postgres.dataSource(), new OutboxEventRepository()), 0);
  }

  @AfterAll
  static void close() {
    api.close();
    postgres.close();
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + path))
        .header("Content-Type", "application/json");
  }

  private static HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static HttpResponse<String> post(String body) throws IOException, InterruptedException {
    return send(request("/orders").POST(BodyPublishers.ofString(body)));
  }

  private static List<String> texts(String sql) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> texts = new ArrayList<>();
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
      return texts;
    }
  }

  private static final String COUNTS =
      """
      select count(*) from orders union all select count(*) from order_items
      union all select count(*) from outbox_events""";

  @Test
  void anOrderItsItemsAndItsEventAreWrittenTogether() throws Exception {
    HttpResponse<String> response = post(GOOD);

    assertThat(response.statusCode()).isEqualTo(201);
    JsonNode answer = JSON.readTree(response.body());
    String order = answer.path("orderId").asString();
    assertThat(response.headers().firstValue("Location")).hasValue("/orders/" + order);
    assertThat(answer.path("totalAmount").decimalValue()).isEqualByComparingTo("25.99");
    assertThat(
            texts(
                """
                select concat_ws(' ', user_id, total_amount) from orders where id = '%s'"""
                    .formatted(order)))
        .containsExactly("u-1 25.99");
    assertThat(
            texts(
                """
                select concat_ws(' ', line, product_id, quantity, unit_price) from order_items
                where order_id = '%s' order by line"""
                    .formatted(order)))
        .containsExactly("1 book 2 12.50", "2 pen 1 0.99");
    assertThat(eventsOf(order))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.eventType()).isEqualTo("order.order.placed.v1");
              assertThat(event.version()).isEqualTo(1);
              assertThat(event.processed()).isFalse();
              assertThat(event.createdAt()).isNotNull();
              assertThat(event.processedAt()).isNull();
              assertThat(event.errorMessage()).isNull();
              assertThat(JSON.readTree(event.payload()))
                  .isEqualTo(
                      JSON.readTree(
                          """
                          {"orderId": "%s", "userId": "u-1", "items": [
                            {"productId": "book", "quantity": 2, "unitPrice": 12.50},
                            {"productId": "pen", "quantity": 1, "unitPrice": 0.99}],
                           "totalAmount": 25.99}"""
                              .formatted(order)));
            });
  }

  private static List<OutboxEvent> eventsOf(String order) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection()) {
      return new OutboxEventRepository().findByAggregateId(connection, order);
    }
  }

  @Test
  void unprocessedEventsAreFoundWithTheOldestFirst() throws Exception {
    String first = JSON.readTree(post(GOOD).body()).path("orderId").asString();
    String second = JSON.readTree(post(GOOD).body()).path("orderId").asString();
    try (Connection connection = postgres.dataSource().getConnection()) {
      OutboxEventRepository outbox = new OutboxEventRepository();

      assertThat(outbox.findByProcessedFalse(connection, 1_000))
          .extracting(OutboxEvent::aggregateId)
          .containsSubsequence(first, second);
      assertThat(outbox.findByProcessedFalse(connection, 1)).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "no json | body | must be JSON | \"no json\"",
        "{\"userId\":\"u\",\"items\":[]} | items | must be an array of 1 to 100 items | \"[]\"",
      })
  void aBadRequestIs400WithFieldRuleAndValueAndWritesNothing(
      String body, String field, String rule, String value) throws Exception {
    List<String> before = texts(COUNTS);
    HttpResponse<String> response = post(body);

    assertThat(response.statusCode()).isEqualTo(400);
    JsonNode error = JSON.readTree(response.body()).path("errors").path(0);
    assertThat(error.path("field").asString()).isEqualTo(field);
    assertThat(error.path("rule").asString()).isEqualTo(rule);
    assertThat(error.path("value").asString()).isEqualTo(value);
    assertThat(texts(COUNTS)).isEqualTo(before);
  }

  static List<Arguments> badHeaders() {
    return List.of(
        arguments("traceparent", "nonsense", "traceparent"),
        arguments("X-Correlation-Id", "x".repeat(256), "correlationId"));
  }

  @ParameterizedTest
  @MethodSource("badHeaders")
  void metadataThatNoBrokerCouldTakeAre400AndRollTheOrderBack(
      String header, String bad, String field) throws Exception {
    List<String> before = texts(COUNTS);
    HttpResponse<String> response =
        send(request("/orders").header(header, bad).POST(BodyPublishers.ofString(GOOD)));

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(JSON.readTree(response.body()).path("errors").path(0).path("field").asString())
        .isEqualTo(field);
    assertThat(texts(COUNTS)).isEqualTo(before);
  }

  @Test
  void anotherMediaTypeIs415() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + "/orders"))
            .header("Content-Type", "text/plain")
            .POST(BodyPublishers.ofString(GOOD))
            .build();
    HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString());

    assertThat(response.statusCode()).isEqualTo(415);
    assertThat(response.body()).contains("Content-Type", "must be application/json", "text/plain");
  }

  @Test
  void aBodyThatIsTooLargeIs413() throws Exception {
    HttpResponse<String> response = post(GOOD + " ".repeat(70_000));

    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(response.body()).contains("must be at most 65536 bytes");
  }

  @Test
  void aServerThatCannotPublishServesNothing() {
    postgres.createDatabase("unpublished");
    DataSource database = postgres.dataSource("unpublished");
    long before = servingThreads();

    assertThatThrownBy(() -> OrderServer.start(database, "nowhere", OpenTelemetry.noop()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(servingThreads()).isEqualTo(before);
  }

  private static long servingThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("Jetty"))
        .count();
  }

  @Test
  void anOrdersEventBelongsToTheSpanOfItsRequest() throws Exception {
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    String order;
    OrderService traced =
        new OrderService(
            postgres.dataSource(),
            new OutboxEventRepository(WaybillTracing.of(telemetry.getOpenTelemetry())));
    try (OrderApi api = OrderApi.start(traced, 0, telemetry.getOpenTelemetry())) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + "/orders"))
              .header("Content-Type", "application/json")
              .header("traceparent", "00-" + trace + "-00f067aa0ba902b7-01")
              .POST(BodyPublishers.ofString(GOOD))
              .build();
      HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString());
      order = JSON.readTree(response.body()).path("orderId").asString();
    }

    SpanData append = span("append order.order.placed.v1");
    SpanData served = span("POST /orders");
    assertThat(served.getTraceId()).isEqualTo(trace);
    assertThat(served.getParentSpanId()).isEqualTo("00f067aa0ba902b7");
    assertThat(append.getTraceId()).isEqualTo(trace);
    assertThat(append.getParentSpanId()).isEqualTo(served.getSpanId());
    assertThat(
            texts(
                """
                select c.traceparent from waybill_outbox_events_row_context c
                join outbox_events o on o.id = c.row_id where o.aggregate_id = '%s'"""
                    .formatted(order)))
        .containsExactly("00-" + trace + "-" + append.getSpanId() + "-01");
  }

  @Test
  void anEventThatIsRefusedHasASpanWithItsError() throws Exception {
    OutboxEventRepository traced =
        new OutboxEventRepository(WaybillTracing.of(telemetry.getOpenTelemetry()));
    OutboxEvent event = OutboxEvent.of(UUID.randomUUID(), "o-1", "refused", 1, "{}");
    EventMetadata metadata = new EventMetadata(null, null, null, "u-1");
    try (Connection connection = postgres.dataSource().getConnection()) {
      assertThatThrownBy(() -> traced.save(connection, event, metadata))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("auto-commit");
    }

    assertThat(span("append refused").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
  }

  private static SpanData span(String name) {
    List<SpanData> named =
        telemetry.getSpans().stream().filter(span -> span.getName().equals(name)).toList();
    assertThat(named).hasSize(1);
    return named.get(0);
  }

  @Test
  void otherPathsAre404AndOtherMethods405() throws Exception {
    assertThat(send(request("/other").POST(BodyPublishers.ofString(GOOD))).statusCode())
        .isEqualTo(404);
    assertThat(send(request("/orders").GET()).statusCode()).isEqualTo(405);
  }
}
