package io.waybill.testkit;

import io.waybill.jdbc.ConnectionFactory;
import io.waybill.jdbc.Schema;
import io.waybill.jdbc.SchemaOptions;
import io.waybill.jdbc.dialect.PostgresSql;
import io.waybill.jdbc.dialect.SqlDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** The server of {@link PostgresFixture}. */
final class PostgresTestDatabase implements TestDatabase {
  @Override
  public SqlDialect dialect() {
    return new PostgresSql();
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
  public void createOwnTable(Connection connection, String schema) throws SQLException {
    Schema.of(SchemaOptions.defaults().schema(schema)).apply(connection);
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
  public void crash() {
    PostgresFixture.SERVER.kill();
    PostgresFixture.SERVER.start();
  }
}
