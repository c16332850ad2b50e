package io.waybill.examples.polyshop.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.examples.polyshop.RunningService;
import io.waybill.examples.polyshop.inventory.Stock.Line;
import io.waybill.examples.polyshop.inventory.Stock.OrderPlaced;
import io.waybill.handler.PermanentException;
import io.waybill.message.Headers;
import io.waybill.message.Payload;
import io.waybill.message.ReceivedEvent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.transaction.support.TransactionTemplate;

/** What orders do to the stock, without a broker. */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StockTest {
  private static final ReceivedEvent EVENT =
      new ReceivedEvent(
          "e-1",
          "order.order.placed.v1",
          1,
          null,
          "orders",
          "order-service",
          null,
          Payload.json("{}"),
          Headers.NONE,
          "checkout-1",
          null,
          null,
          null,
          Map.of("userId", "me"),
          0,
          null);

  private RunningService service;

  @BeforeAll
  void start() {
    service = RunningService.start("inventory");
  }

  @AfterAll
  void stop() {
    service.close();
  }

  /** In a transaction, as the inbox does. */
  private void take(OrderPlaced order) {
    Stock stock = service.bean(Stock.class);
    service
        .bean(TransactionTemplate.class)
        .executeWithoutResult(status -> stock.take(order, EVENT));
  }

  private int left(String product) {
    return service
        .jdbc()
        .sql("select quantity from stock where product_id = ?")
        .param(product)
        .query(Integer.class)
        .single();
  }

  @Test
  void eachLineIsTakenOnceByItsMovementId() {
    int books = left("book");
    int pens = left("pen");
    OrderPlaced order =
        new OrderPlaced(
            "o-1", List.of(new Line("pen", 2), new Line("book", 3), new Line("pen", 1)));

    take(order);
    take(order);

    assertThat(left("book")).isEqualTo(books - 3);
    assertThat(left("pen")).isEqualTo(pens - 3);
    assertThat(
            service
                .jdbc()
                .sql(
                    """
                    select concat_ws(' ', movement_id, product_id, quantity) from stock_movement
                    order by movement_id""")
                .query(String.class)
                .list())
        .containsExactly("o-1/0 pen 2", "o-1/1 book 3", "o-1/2 pen 1");
    assertThat(
            service
                .jdbc()
                .sql(
                    """
                    select concat_ws(' ', o.aggregate_id, o.payload ->> 'productId',
                      o.payload ->> 'orderId', o.payload ->> 'quantity', c.correlation_id,
                      c.causation_id, c.headers ->> 'userId')
                    from outbox_events o join waybill_outbox_events_row_context c on c.row_id = o.id
                    where o.event_type = 'inventory.stock.reserved.v1' order by 1""")
                .query(String.class)
                .list())
        .as("an event of each movement, keyed by its product")
        .containsExactly(
            "book book o-1 3 checkout-1 e-1 me",
            "pen pen o-1 1 checkout-1 e-1 me",
            "pen pen o-1 2 checkout-1 e-1 me");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          rug  | 1         | Validation failed: product not found: rug
          book | 100000000 | Validation failed: out of stock: book
          book | 0         | Validation failed: quantity must be at least 1, but is 0: book
          book | -7        | Validation failed: quantity must be at least 1, but is -7: book
          """)
  void whatCannotBeTakenIsRefusedForGood(String product, int quantity, String reason) {
    OrderPlaced order =
        new OrderPlaced("refused", List.of(new Line("book", 1), new Line(product, quantity)));
    int books = left("book");

    assertThatExceptionOfType(PermanentException.class)
        .isThrownBy(() -> take(order))
        .withMessage(reason);
    assertThat(left("book")).isEqualTo(books);
  }

  @Test
  void aRestartKeepsWhatWasDeletedOfTheStock() {
    service.jdbc().sql("insert into stock (product_id, quantity) values ('ink', 9)").update();
    service.jdbc().sql("delete from stock where product_id = 'ink'").update();
    int pens = left("pen");

    service = service.again();

    assertThat(left("pen")).isEqualTo(pens);
    assertThat(service.jdbc().sql("select count(*) from stock").query(Integer.class).single())
        .isEqualTo(2);
  }
}
