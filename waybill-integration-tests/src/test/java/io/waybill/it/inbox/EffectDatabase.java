package io.waybill.it.inbox;

import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxTables;
import io.waybill.jdbc.InboxSchema;
import io.waybill.proof.server.DatabaseServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
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

  /** Makes the tables of {@link EffectConsumer}, with all effects missing. */
  void prepare(int keys, int numbers) throws SQLException {
    createInbox();
    run("create table effect (event_id varchar(64) primary key, n integer not null)");
    run("create table progress (k varchar(64) primary key, last integer not null)");
    run("create table disorder (event_id varchar(64) not null)");
    try (Connection connection = DriverManager.getConnection(url)) {
      connection.setAutoCommit(false);
      try (PreparedStatement effect =
              connection.prepareStatement("insert into effect values (?, 0)");
          PreparedStatement progress =
              connection.prepareStatement("insert into progress values (?, 0)")) {
        for (String key : Copies.keys(keys)) {
          progress.setString(1, key);
          progress.addBatch();
          for (int number = 1; number <= numbers; number++) {
            effect.setString(1, key + "-" + number);
            effect.addBatch();
          }
        }
        effect.executeBatch();
        progress.executeBatch();
      }
      connection.commit();
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
