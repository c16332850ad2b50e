package io.waybill.demo;

import io.waybill.message.Event;
import io.waybill.outbox.Outbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The business: orders, a ledger of their changes, and an event for each change. Thread-safe. */
final class Shop {
  private static final String TABLES =
      """
      create table orders (
        order_id text primary key,
        revision bigint not null,
        total_cents bigint not null
      );
      create table order_changes (
        event_id text primary key,
        order_id text not null,
        revision bigint not null
      )""";

  private static final String CHANGE =
      """
      insert into orders (order_id, revision, total_cents) values (?, 1, ?)
      on conflict (order_id) do update
        set revision = orders.revision + 1, total_cents = orders.total_cents + excluded.total_cents
      returning revision, total_cents""";

  private static final String RECORD =
      "insert into order_changes (event_id, order_id, revision) values (?, ?, ?)";

  private final Outbox outbox;

  Shop(Outbox outbox) {
    this.outbox = outbox;
  }

  static void createTables(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(TABLES);
    }
  }

  /** Changes orders in the caller's transaction, and says so with one event each. */
  void change(Connection connection, List<Integer> orders, int cents) throws SQLException {
    List<Event> events = new ArrayList<>(orders.size());
    try (PreparedStatement change = connection.prepareStatement(CHANGE);
        PreparedStatement record = connection.prepareStatement(RECORD)) {
      for (int order : orders) {
        events.add(changeOne(change, record, "order-" + order, cents));
      }
      record.executeBatch();
    }
    outbox.append(connection, events);
  }

  private static Event changeOne(
      PreparedStatement change, PreparedStatement record, String order, int cents)
      throws SQLException {
    change.setString(1, order);
    change.setLong(2, cents);
    try (ResultSet row = change.executeQuery()) {
      row.next();
      long revision = row.getLong(1);
      Event event =
          Event.builder(revision == 1 ? "order.placed" : "order.changed", "order", order)
              .json(json(order, revision, row.getLong(2)))
              .build();
      record.setString(1, event.id());
      record.setString(2, order);
      record.setLong(3, revision);
      record.addBatch();
      return event;
    }
  }

  private static String json(String order, long revision, long cents) {
    return """
        {"orderId":"%s","revision":%d,"totalCents":%d}"""
        .formatted(order, revision, cents);
  }

  /** All committed changes. */
  static List<Change> ledger(Connection connection) throws SQLException {
    List<Change> changes = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("select event_id, order_id, revision from order_changes")) {
      while (rows.next()) {
        changes.add(new Change(rows.getString(1), rows.getString(2), rows.getLong(3)));
      }
    }
    return changes;
  }
}
