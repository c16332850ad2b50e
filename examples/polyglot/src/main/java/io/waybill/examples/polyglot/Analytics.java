package io.waybill.examples.polyglot;

import io.waybill.database.InboxTables;
import io.waybill.handler.PermanentException;
import io.waybill.message.ReceivedEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Counts what was sold: a consumer that publishes nothing, on the document's table of processed
 * events with its two columns.
 */
final class Analytics {
  static final String NAME = "analytics-service";

  private static final String TABLES =
      """
      create table sales (
        product_id varchar(100) primary key,
        pieces bigint not null
      );
      """;

  // Not idempotent: a second time would count twice.
  private static final String COUNT =
      """
      insert into sales (product_id, pieces) values (?, ?)
      on conflict (product_id) do update set pieces = sales.pieces + excluded.pieces""";

  private Analytics() {}

  static JavaConsumer consumer() {
    return new JavaConsumer(
        NAME, TABLES, InboxTables.ofOneConsumer("processed_events"), Analytics::count);
  }

  private static void count(PlacedOrder order, ReceivedEvent event, Connection connection)
      throws SQLException {
    if (order.totalAmount() <= 0) {
      throw new PermanentException("Validation failed: totalAmount must be more than 0");
    }
    try (PreparedStatement statement = connection.prepareStatement(COUNT)) {
      for (PlacedOrder.Item item : order.items()) {
        statement.setString(1, item.productId());
        statement.setInt(2, item.quantity());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }
}
