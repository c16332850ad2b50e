package io.waybill.examples.polyglot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.handler.PermanentException;
import io.waybill.message.Headers;
import io.waybill.message.Payload;
import io.waybill.message.ReceivedEvent;
import io.waybill.proof.server.PostgresServer;
import java.sql.Connection;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("server")
class InventoryTest {
  private final JavaConsumer inventory = Inventory.consumer();

  @Test
  void aSecondEventOfAnOrderMovesNothing() throws Exception {
    try (PostgresServer postgres = PostgresServer.launch()) {
      postgres.createDatabase(inventory.database());
      DataSource database = postgres.dataSource(inventory.database());
      inventory.createTables(database);
      try (Connection connection = database.getConnection()) {
        handle(connection, event("first", "book"));
        handle(connection, event("second", "book"));
        assertThatThrownBy(() -> handle(connection, event("third", "unicorn")))
            .isInstanceOf(PermanentException.class)
            .hasMessage("Validation failed: product not found: unicorn");
      }

      assertThat(
              new Rows(postgres).of(inventory.database(), "select product_id, quantity from stock"))
          .isEqualTo(Map.of("book", 999_998L, "pen", 1_000_000L));
      assertThat(
              new Rows(postgres)
                  .of(inventory.database(), "select movement_id, quantity from stock_movements"))
          .isEqualTo(Map.of("o-1/1", 2L));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -5})
  void aLineThatWouldAddToTheStockIsRefusedForGood(int quantity) {
    assertThatThrownBy(() -> PlacedOrder.read(event("e-1", "book", quantity).payload()))
        .isInstanceOf(PermanentException.class)
        .hasMessage(
            "Validation failed: quantity must be at least 1, but is " + quantity + ": book");
  }

  private void handle(Connection connection, ReceivedEvent event) throws Exception {
    inventory.handler().handle(PlacedOrder.read(event.payload()), event, connection);
  }

  private static ReceivedEvent event(String id, String product) {
    return event(id, product, 2);
  }

  private static ReceivedEvent event(String id, String product, int quantity) {
    String data =
        """
        {"orderId": "o-1", "items": [{"productId": "%s", "quantity": %d}]}"""
            .formatted(product, quantity);
    return new ReceivedEvent(
        id,
        "order.order.placed.v1",
        1,
        null,
        "orders",
        null,
        null,
        Payload.json(data),
        Headers.NONE,
        null,
        null,
        null,
        null,
        Map.of(),
        0,
        null);
  }
}
