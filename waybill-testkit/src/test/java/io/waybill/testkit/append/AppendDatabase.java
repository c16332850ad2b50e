package io.waybill.testkit.append;

import io.waybill.jdbc.Schema;
import io.waybill.jdbc.SchemaOptions;
import io.waybill.testkit.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL with an outbox in the schema {@code app}, and a table of business rows. */
final class AppendDatabase implements AutoCloseable {
  static final SchemaOptions OPTIONS = SchemaOptions.defaults().schema("app");

  private final PostgresServer server;

  AppendDatabase() throws SQLException {
    server =
        PostgresServer.launch(
            Map.of("shared_preload_libraries", "pg_stat_statements", "fsync", "off"));
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl())) {
      Schema.of(OPTIONS).apply(connection);
      run(connection, "create extension pg_stat_statements");
      run(connection, "create table app.orders (id text primary key)");
    }
  }

  /** A connection in a transaction of its own. */
  Connection begin() throws SQLException {
    return begin("");
  }

  /** The same with driver options, for example {@code &preferQueryMode=simple}. */
  Connection begin(String driverOptions) throws SQLException {
    Connection connection = DriverManager.getConnection(server.jdbcUrl() + driverOptions);
    connection.setAutoCommit(false);
    return connection;
  }

  /** Runs statements in a transaction of their own. */
  void run(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl())) {
      run(connection, sql);
    }
  }

  /** The texts of a query's first column, as everybody sees them. */
  List<@Nullable String> column(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<@Nullable String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }

  List<@Nullable String> eventIds() throws SQLException {
    return column("select event_id from app.waybill_outbox order by id");
  }

  static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
