package io.waybill.it.inbox;

import io.waybill.jdbc.DatabaseKind;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.InboxTables;
import io.waybill.testkit.DatabaseServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A database for the effects of handlers.
 *
 * @param kind product
 * @param url JDBC URL
 * @param schema what its tables are in
 */
record EffectDatabase(DatabaseKind kind, String url, String schema) {
  static EffectDatabase create(DatabaseServer server, String name) {
    String schema = server.kind() == DatabaseKind.POSTGRESQL ? "public" : name;
    return new EffectDatabase(server.kind(), server.createDatabase(name), schema);
  }

  void createInbox() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      int unused = InboxSchema.of(kind, schema, InboxTables.own()).apply(connection);
    }
  }

  void run(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The first column of all rows. */
  List<String> texts(String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<String> texts = new ArrayList<>();
      while (result.next()) {
        texts.add(result.getString(1));
      }
      return texts;
    } catch (SQLException e) {
      throw new AssertionError("the database refused: " + sql, e);
    }
  }

  long number(String sql) {
    return Long.parseLong(texts(sql).get(0));
  }
}
