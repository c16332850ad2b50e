package io.waybill.examples.polyshop.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.examples.polyshop.RunningService;
import io.waybill.handler.PermanentException;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests and what they write, without a broker. */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrderServiceTest {
  private static final String GOOD =
      """
      {"userId": "me", "items": [
        {"productId": "book", "quantity": 2, "unitPrice": 9.99},
        {"productId": "pen", "quantity": 3, "unitPrice": 0.5}]}""";
  private static final List<String> TABLES = List.of("orders", "order_items", "outbox_events");

  private RunningService service;

  @BeforeAll
  void start() {
    service = RunningService.start("order");
  }

  @AfterAll
  void stop() {
    service.close();
  }

  private HttpResponse<String> order(String json, String... headers) throws Exception {
    return service.post("/orders", json, headers);
  }

  private List<String> texts(String query, String orderId) {
    return service.jdbc().sql(query).param(orderId).query(String.class).list();
  }

  private List<Integer> counts() {
    return TABLES.stream().map(this::count).toList();
  }

  private int count(String table) {
    return service.jdbc().sql("select count(*) from " + table).query(Integer.class).single();
  }

  @Test
  void anOrderItsItemsAndItsEventAreWrittenTogether() throws Exception {
    HttpResponse<String> response = order(GOOD);

    assertThat(response.statusCode()).isEqualTo(201);
    JsonNode answer = JsonMapper.builder().build().readTree(response.body());
    assertThat(answer.path("totalAmount").decimalValue()).isEqualByComparingTo("21.48");
    String id = answer.path("orderId").asString();
    assertThat(
            texts(
                "select concat_ws(' ', user_id, total_amount) from orders where id::text = ?", id))
        .containsExactly("me 21.48");
    assertThat(
            texts(
                """
                select concat_ws(' ', line, product_id, quantity, unit_price) from order_items
                where order_id::text = ? order by line""",
                id))
        .containsExactly("1 book 2 9.99", "2 pen 3 0.50");
    assertThat(
            texts(
                """
                select concat_ws(' ', event_type, version, processed, payload ->> 'orderId',
                  payload ->> 'userId', payload ->> 'totalAmount',
                  json_array_length(payload -> 'items'))
                from outbox_events where aggregate_id = ?""",
                id))
        .containsExactly("order.order.placed.v1 1 f " + id + " me 21.48 2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"items": [{"productId": "pen", "quantity": 1, "unitPrice": 1}]} | userId must be given
          {"userId": "a\\u0001", "items": []} | userId must have no control characters
          {"userId": "me"} | items must have from 1 to 100 lines
          {"userId": "me", "items": []} | items must have from 1 to 100 lines
          {"userId": "me", "items": [null]} | items[0] must be given
          {"userId": "me", "items": [{"quantity": 1, "unitPrice": 1}]} | items[0].productId must be given
          {"userId": "me", "items": [{"productId": "pen", "quantity": 0, "unitPrice": 1}]} | items[0].quantity must be from 1 to 100, but is 0
          {"userId": "me", "items": [{"productId": "pen", "quantity": 101, "unitPrice": 1}]} | items[0].quantity must be from 1 to 100, but is 101
          {"userId": "me", "items": [{"productId": "pen", "quantity": 1}]} | items[0].unitPrice must be from 0 to 100000
          {"userId": "me", "items": [{"productId": "pen", "quantity": 1, "unitPrice": -1}]} | items[0].unitPrice must be from 0 to 100000
          {"userId": "me", "items": [{"productId": "pen", "quantity": 1, "unitPrice": 0.001}]} | with at most two decimals and an exponent of at most 5, but is 0.001
          {"userId": "me", "items": [{"productId": "pen", "quantity": 1, "unitPrice": 100000.01}]} | items[0].unitPrice must be from 0 to 100000
          {"userId": "me", "items": [{"productId": "pen", "quantity": 1, "unitPrice": 1e1000000000}]} | an exponent of at most 5, but is 1E+1000000000
          {"userId": "me", "items": [{"productId": "pen", "quantity": 1, "unitPrice": 0e1000000000}]} | an exponent of at most 5, but is 0E+1000000000
          {"userId": "me", "items": [{"productId": "pen", "quantity": 1, "unitPrice": 1e-1000000000}]} | an exponent of at most 5, but is 1E-1000000000
          """)
  void aBadRequestIsRefusedWithFieldAndRuleAndWritesNothing(String request, String reason)
      throws Exception {
    List<Integer> before = counts();

    HttpResponse<String> answer = order(request);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(reason);
    assertThat(counts()).isEqualTo(before);
  }

  @Test
  void aHeaderThatNoEventCanHaveIsRefusedAndTheOrderRolledBack() throws Exception {
    List<Integer> before = counts();

    HttpResponse<String> answer = order(GOOD, "X-Correlation-Id", "x".repeat(256));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("correlationId", "255");
    assertThat(counts()).isEqualTo(before);
  }

  private static String id(HttpResponse<String> answer) {
    return JsonMapper.builder().build().readTree(answer.body()).path("orderId").asString();
  }

  private List<String> contexts(String orderId) {
    return texts(
        """
        select concat_ws(' ', c.correlation_id, c.headers ->> 'userId',
          c.headers ->> 'idempotencyKey')
        from outbox_events o join waybill_outbox_events_row_context c on c.row_id = o.id
        where o.aggregate_id = ?""",
        orderId);
  }

  @Test
  void anEventHasTheMetadataOfItsRequest() throws Exception {
    String sent = id(order(GOOD, "X-Correlation-Id", "cart-7", "Idempotency-Key", "click-1"));
    assertThat(contexts(sent)).containsExactly("cart-7 me click-1");

    String made = id(order(GOOD));
    assertThat(contexts(made)).singleElement().asString().matches("[0-9a-f-]{36} me");
  }

  @Test
  void anOrderIsPaidOnceItsPaymentSucceeded() throws Exception {
    String id = id(order(GOOD));
    Payments payments = service.bean(Payments.class);
    assertThat(texts("select status from orders where id::text = ?", id)).containsExactly("PLACED");

    payments.paid(new Payments.PaymentSucceeded("p-1", id));
    payments.paid(new Payments.PaymentSucceeded("p-2", id));

    assertThat(texts("select status from orders where id::text = ?", id)).containsExactly("PAID");
    assertThatExceptionOfType(PermanentException.class)
        .isThrownBy(() -> payments.paid(new Payments.PaymentSucceeded("p-3", "nobody's")))
        .withMessage("Validation failed: order not found: nobody's");
  }

  @Test
  void aRestartKeepsItsOrders() throws Exception {
    int orders = count("orders");
    service = service.again();
    assertThat(count("orders")).isEqualTo(orders);
  }
}
