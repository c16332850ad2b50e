package io.waybill.examples.polyglot;

import io.waybill.database.InboxTables;
import io.waybill.handler.PermanentException;
import io.waybill.message.ReceivedEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Takes what was ordered from the stock. Each line of an order is a movement with an id of its own,
 * so that a second event of one order, which no inbox can know, moves nothing either.
 */
final class Inventory {
  static final String NAME = "inventory-service";

  private static final String TABLES =
      """
      create table stock (
        product_id varchar(100) primary key,
        quantity int not null check (quantity >= 0)
      );
      create table stock_movements (
        movement_id varchar(140) primary key,
        product_id varchar(100) not null references stock (product_id),
        quantity int not null
      );
      insert into stock (product_id, quantity) values ('book', 1000000), ('pen', 1000000);
      """;

  private static final String KNOWN = "select 1 from stock where product_id = ?";
  private static final String MOVEMENT =
      """
      insert into stock_movements (movement_id, product_id, quantity) values (?, ?, ?)
      on conflict (movement_id) do nothing""";
  private static final String TAKE =
      "update stock set quantity = quantity - ? where product_id = ?";

  private Inventory() {}

  static JavaConsumer consumer() {
    return new JavaConsumer(NAME, TABLES, InboxTables.own(), Inventory::take);
  }

  private static void take(PlacedOrder order, ReceivedEvent event, Connection connection)
      throws SQLException {
    int line = 0;
    for (PlacedOrder.Item item : order.items()) {
      line++;
      if (!isKnown(connection, item)) {
        throw new PermanentException("Validation failed: product not found: " + item.productId());
      }
      if (isNew(connection, order.orderId() + "/" + line, item)) {
        take(connection, item);
      }
    }
  }

  private static boolean isKnown(Connection connection, PlacedOrder.Item item) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(KNOWN)) {
      statement.setString(1, item.productId());
      return statement.executeQuery().next();
    }
  }

  private static boolean isNew(Connection connection, String movementId, PlacedOrder.Item item)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(MOVEMENT)) {
      statement.setString(1, movementId);
      statement.setString(2, item.productId());
      statement.setInt(3, item.quantity());
      return statement.executeUpdate() == 1;
    }
  }

  private static void take(Connection connection, PlacedOrder.Item item) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TAKE)) {
      statement.setInt(1, item.quantity());
      statement.setString(2, item.productId());
      statement.executeUpdate();
    }
  }
}
