package io.waybill.demo;

import io.waybill.message.Event;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.PostgresAppend;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The business: orders, a ledger of their changes, and an event for each change. Thread-safe. */
final class Shop {
  static final String PLACED = "order.placed";
  static final String CHANGED = "order.changed";
  static final String RETURNED = "order.returned";

  /** Type of the events of {@link #poison}. */
  static final String POISON = "order.noted";

  static final int RETURNS = 25;

  private static final String PREFIX = "order-";
  private static final int POISON_BYTES = 1 << 20;

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
      );
      create table order_notes (
        event_id text primary key,
        order_id text not null
      )""";

  private static final String CHANGE =
      """
      insert into orders (order_id, revision, total_cents) values (?, 1, ?)
      on conflict (order_id) do update
        set revision = orders.revision + 1, total_cents = orders.total_cents + excluded.total_cents
      returning revision, total_cents""";

  private static final String RECORD =
      "insert into order_changes (event_id, order_id, revision) values (?, ?, ?)";

  // What the library refuses right away; other programs write rows of their own.
  private static final String WRITE_POISON =
      """
      with note as (
        insert into order_notes (event_id, order_id)
        select ?, order_id from orders order by random() limit 1
        returning event_id, order_id)
      insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
      select event_id, ?, 'order', order_id, convert_to(format(?, order_id), 'UTF8') from note
      returning aggregate_id""";

  private static final String SOME = "select order_id from orders order by random() limit ?";

  private final Outbox outbox;

  Shop() {
    this.outbox = Outbox.of(PostgresAppend.ofDefaults());
  }

  static void createTables(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(TABLES);
    }
  }

  /** Changes orders in the caller's transaction, and says so with one event each. */
  void change(Connection connection, List<Integer> orders, int cents) throws SQLException {
    change(connection, orders, cents, null);
  }

  /** Takes some orders back, likewise; returns how many. */
  int returned(Connection connection) throws SQLException {
    List<Integer> orders = new ArrayList<>();
    try (PreparedStatement some = connection.prepareStatement(SOME)) {
      some.setInt(1, RETURNS);
      try (ResultSet rows = some.executeQuery()) {
        while (rows.next()) {
          orders.add(Integer.parseInt(rows.getString(1).substring(PREFIX.length())));
        }
      }
    }
    // In the one order in which all lock them.
    orders.sort(null);
    change(connection, orders, 0, RETURNED);
    return orders.size();
  }

  private void change(Connection connection, List<Integer> orders, int cents, @Nullable String type)
      throws SQLException {
    List<Event> events = new ArrayList<>(orders.size());
    try (PreparedStatement change = connection.prepareStatement(CHANGE);
        PreparedStatement record = connection.prepareStatement(RECORD)) {
      for (int order : orders) {
        events.add(changeOne(change, record, PREFIX + order, cents, type));
      }
      record.executeBatch();
    }
    outbox.append(connection, events);
  }

  private static Event changeOne(
      PreparedStatement change,
      PreparedStatement record,
      String order,
      int cents,
      @Nullable String type)
      throws SQLException {
    change.setString(1, order);
    change.setLong(2, cents);
    try (ResultSet row = change.executeQuery()) {
      row.next();
      long revision = row.getLong(1);
      String usual = revision == 1 ? PLACED : CHANGED;
      Event event =
          Event.builder(type == null ? usual : type, "order", order)
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

  /**
   * Writes an event that no broker takes, about an order, in the caller's transaction.
   *
   * @return the order; empty if there is none yet
   */
  static String poison(Connection connection) throws SQLException {
    byte[] noise = new byte[POISON_BYTES];
    new Random().nextBytes(noise);
    String note = HexFormat.of().formatHex(noise);
    try (PreparedStatement insert = connection.prepareStatement(WRITE_POISON)) {
      insert.setString(1, UUID.randomUUID().toString());
      insert.setString(2, POISON);
      insert.setString(3, "{\"orderId\":\"%s\",\"note\":\"" + note + "\"}");
      try (ResultSet row = insert.executeQuery()) {
        return row.next() ? row.getString(1) : "";
      }
    }
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
