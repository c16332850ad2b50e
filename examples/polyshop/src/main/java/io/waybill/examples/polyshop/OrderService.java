package io.waybill.examples.polyshop;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layouts;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;

/** Orders. Thread-safe. */
final class OrderService {
  private static final String TABLES =
      """
      create table orders (
        id uuid primary key,
        user_id varchar(100) not null,
        total_amount numeric(12, 2) not null,
        created_at timestamptz not null default now()
      );
      create table order_items (
        order_id uuid not null references orders (id),
        line int not null,
        product_id varchar(100) not null,
        quantity int not null,
        unit_price numeric(10, 2) not null,
        primary key (order_id, line)
      );
      """;

  private static final String ORDER =
      "insert into orders (id, user_id, total_amount) values (?, ?, ?)";
  private static final String ITEM =
      """
      insert into order_items (order_id, line, product_id, quantity, unit_price)
      values (?, ?, ?, ?, ?)""";

  private final DataSource database;
  private final OutboxEventRepository outbox;
  private final DomainEventFactory events = new DomainEventFactory();

  OrderService(DataSource database, OutboxEventRepository outbox) {
    this.database = database;
    this.outbox = outbox;
  }

  /** Creates orders, the documented outbox and what a relay needs beside it. */
  static void createTables(DataSource database) throws SQLException {
    var kind = DatabaseKind.POSTGRESQL;
    try (Connection connection = database.getConnection()) {
      TableSchema.run(connection, TABLES);
      TableSchema.run(connection, TableSchema.documentedTable(Layouts.POLYSHOP.name(), kind));
      TableSchema.of(Layouts.POLYSHOP, kind, SideNames.of(Layouts.POLYSHOP), 1).apply(connection);
    }
  }

  /**
   * Writes order, items and event in one transaction.
   *
   * @return id of the order
   * @throws io.waybill.message.InvalidEventException if the metadata break rules; nothing is left
   */
  UUID createOrder(NewOrder order, EventMetadata metadata) throws SQLException {
    UUID id = UUID.randomUUID();
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        insertOrder(connection, id, order);
        insertItems(connection, id, order.items());
        outbox.save(connection, events.orderPlaced(id, order), metadata);
      } catch (SQLException | RuntimeException e) {
        connection.rollback();
        throw e;
      }
      connection.commit();
      return id;
    }
  }

  private static void insertOrder(Connection connection, UUID id, NewOrder order)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ORDER)) {
      statement.setObject(1, id);
      statement.setString(2, order.userId());
      statement.setBigDecimal(3, order.totalAmount());
      statement.executeUpdate();
    }
  }

  private static void insertItems(Connection connection, UUID id, List<NewOrder.Item> items)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ITEM)) {
      for (int line = 0; line < items.size(); line++) {
        NewOrder.Item item = items.get(line);
        statement.setObject(1, id);
        statement.setInt(2, line + 1);
        statement.setString(3, item.productId());
        statement.setInt(4, item.quantity());
        statement.setBigDecimal(5, item.unitPrice());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** What each committed order costs by its items, the business's own record. */
  Map<String, BigDecimal> totals() throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                """
                select o.id::text, sum(i.quantity * i.unit_price)
                from orders o join order_items i on i.order_id = o.id group by o.id""");
        ResultSet rows = statement.executeQuery()) {
      Map<String, BigDecimal> totals = new HashMap<>();
      while (rows.next()) {
        totals.put(rows.getString(1), rows.getBigDecimal(2));
      }
      return totals;
    }
  }
}
