package io.waybill.testkit;

import io.waybill.database.ConnectionFactory;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The start-up checks as a role sees them. */
final class PostgresRoles {
  private PostgresRoles() {}

  static List<Finding> check(String url, String role) {
    ConnectionFactory connections = () -> as(url, role);
    return PostgresOutbox.of(connections, PostgresOptions.ofDefaults()).check();
  }

  private static Connection as(String url, String role) throws SQLException {
    Connection connection = DriverManager.getConnection(url);
    try (Statement statement = connection.createStatement()) {
      statement.execute("set role " + role);
    }
    return connection;
  }
}
