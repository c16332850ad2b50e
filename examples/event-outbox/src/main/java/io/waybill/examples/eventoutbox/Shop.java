package io.waybill.examples.eventoutbox;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layouts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The application: it writes rows of {@code event_outbox} in its transactions.
 *
 * @param database its database
 * @param kind the database's product
 */
record Shop(DataSource database, DatabaseKind kind) {
  /** Events of this table can go nowhere: a topic may not be called so. */
  static final String UNROUTABLE = "no topic";

  private static final int ORDERS = 30;

  /** The documented table and views, and what the relay keeps beside them. */
  void createTables() throws SQLException {
    TableSchema schema =
        TableSchema.of(Layouts.EVENT_OUTBOX, kind, SideNames.of(Layouts.EVENT_OUTBOX), 1);
    try (Connection connection = database.getConnection()) {
      TableSchema.run(connection, TableSchema.documentedTable("event-outbox", kind));
      schema.apply(connection);
      schema.applyViews(connection);
    }
  }

  /** Orders of two nodes, one event that waits for tomorrow, and one that nobody can take. */
  void writeEvents() throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      for (int i = 1; i <= ORDERS; i++) {
        String type = i % 3 == 0 ? "order.paid" : "order.placed";
        insert(connection, i, "orders", type, i % 2 == 0 ? "node-a" : "node-b", null);
        if (i % 10 == 0) {
          connection.rollback();
        } else {
          connection.commit();
        }
      }
      Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
      insert(connection, ORDERS + 1, "orders", "order.reminder", "node-a", tomorrow);
      insert(connection, ORDERS + 2, UNROUTABLE, "order.lost", "node-b", null);
      connection.commit();
    }
  }

  private void insert(
      Connection connection,
      long id,
      String table,
      String type,
      String node,
      @Nullable Instant notBefore)
      throws SQLException {
    String json = kind == DatabaseKind.POSTGRESQL ? "cast(? as jsonb)" : "?";
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            insert into event_outbox (id, event_key, entity_table, entity_pk, event_type, payload,
              producer_node, next_attempt_at)
            values (?, ?, ?, ?, ?, %s, ?, ?)"""
                .formatted(json))) {
      insert.setLong(1, id);
      insert.setString(2, UUID.randomUUID().toString());
      insert.setString(3, table);
      insert.setString(4, Long.toString(id % 5));
      insert.setString(5, type);
      insert.setString(6, "{\"order\":" + id + "}");
      insert.setString(7, node);
      insert.setTimestamp(8, notBefore == null ? null : Timestamp.from(notBefore));
      insert.executeUpdate();
    }
  }
}
