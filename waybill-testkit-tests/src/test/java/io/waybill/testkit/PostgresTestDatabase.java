package io.waybill.testkit;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.kernel.PostgresDialect;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.jdbc.Schema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** The server of {@link PostgresFixture}. */
final class PostgresTestDatabase implements TestDatabase {
  @Override
  public SqlDialect dialect() {
    return new PostgresDialect();
  }

  @Override
  public ConnectionFactory connections() {
    return ConnectionFactory.postgres(PostgresFixture.SERVER.jdbcUrl(), new Properties());
  }

  @Override
  public Connection connect() throws SQLException {
    return PostgresFixture.SERVER.dataSource().getConnection();
  }

  @Override
  public Connection createSchema(String name) throws SQLException {
    Connection connection = connect();
    try (Statement statement = connection.createStatement()) {
      statement.execute("drop schema if exists %1$s cascade; create schema %1$s".formatted(name));
      statement.execute("set search_path = " + name);
    }
    return connection;
  }

  @Override
  public Connection connectTo(String schema) throws SQLException {
    Connection connection = connect();
    connection.setSchema(schema);
    return connection;
  }

  @Override
  public void createUser(Connection connection, String schema, String user) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          do $$ begin
            if not exists (select 1 from pg_roles where rolname = '%2$s') then
              create role %2$s login;
            end if;
          end $$;
          grant usage on schema %1$s to %2$s"""
              .formatted(schema, user));
    }
  }

  @Override
  public Connection connectAs(String schema, String user) throws SQLException {
    return DriverManager.getConnection(
        PostgresFixture.SERVER.jdbcUrl().replace("user=postgres", "user=" + user)
            + "&currentSchema="
            + schema);
  }

  @Override
  public void createOwnTable(Connection connection, String schema) throws SQLException {
    Schema.of(SchemaOptions.ofDefaults().schema(schema)).apply(connection);
  }

  @Override
  public String otherCollation() {
    return "\"POSIX\"";
  }

  @Override
  public boolean commitsAsynchronously() {
    return true;
  }

  @Override
  public void commitAsynchronously(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set synchronous_commit = off");
    }
  }

  @Override
  public void timeZone(int hours) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "do $$ begin execute format('alter database %I set timezone = %L', current_database(), '"
              + zone(hours)
              + "'); end $$");
    }
  }

  @Override
  public String sessionTimeZone(int hours) {
    return "set timezone = '" + zone(hours) + "'";
  }

  /** POSIX counts to the west. */
  private static String zone(int hours) {
    return "<%+03d>%+d".formatted(hours, -hours);
  }

  @Override
  public String timeType() {
    return "timestamptz(6)";
  }

  @Override
  public String changeColumn(String table, String column, String type) {
    String alter = "alter table " + table + " alter column " + column;
    return alter + " type " + type + "; " + alter + " drop not null";
  }

  @Override
  public void crash() {
    PostgresFixture.SERVER.kill();
    PostgresFixture.SERVER.start();
  }
}
