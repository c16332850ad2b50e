package io.waybill.examples.services.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.examples.services.RunningService;
import io.waybill.examples.services.inventory.Stock.Line;
import io.waybill.examples.services.inventory.Stock.OrderPlaced;
import io.waybill.handler.PermanentException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.transaction.support.TransactionTemplate;

/** What orders do to the stock, without a broker. */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StockTest {
  private RunningService service;

  @BeforeAll
  void start() {
    service =
        RunningService.start(
            InventoryApplication.class,
            "inventory",
            WebApplicationType.NONE,
            Map.of("waybill.inbox.enabled", false));
  }

  @AfterAll
  void stop() {
    service.close();
  }

  /** In a transaction, as the inbox does. */
  private void take(OrderPlaced order) {
    Stock stock = service.bean(Stock.class);
    service.bean(TransactionTemplate.class).executeWithoutResult(status -> stock.take(order));
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
}
