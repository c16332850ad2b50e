package io.waybill.torture.planted;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.internal.jdbc.kernel.Dialects;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What bugs do to the tables themselves. Used by one thread. */
final class SideTables {
  private final ConnectionFactory connections;
  private final List<Connection> leaked = new ArrayList<>();
  private final SqlDialect dialect;

  SideTables(ConnectionFactory connections) {
    this.connections = connections;
    this.dialect = Dialects.of(DatabaseKind.of(connections));
  }

  /** SQL for microseconds since the epoch. */
  String micros(String timestamp) {
    return dialect.micros(timestamp);
  }

  String nowMicros() {
    return dialect.micros(dialect.clock());
  }

  /** What cannot be done now is left. */
  void update(String sql) {
    try (Connection connection = connections.open();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      statement.executeUpdate(sql);
    } catch (SQLException e) {
      return; // The database is away, as it often is in a torture.
    }
  }

  void leakConnection() {
    try {
      leaked.add(connections.open());
    } catch (SQLException e) {
      return; // The same.
    }
  }
}
