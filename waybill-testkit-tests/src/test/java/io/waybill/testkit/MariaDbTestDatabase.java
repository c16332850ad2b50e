package io.waybill.testkit;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.kernel.Dialects;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.jdbc.Schema;
import io.waybill.proof.proxy.Protocol;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.proof.server.MySqlDatabases;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** A real MariaDB, or the MySQL that the run asks for: one server for the whole test run. */
final class MariaDbTestDatabase implements TestDatabase {
  private static final DatabaseServer SERVER = MySqlDatabases.server();

  String url(String schema) {
    return MySqlDatabases.ofDriver(SERVER.jdbcUrl(schema));
  }

  @Override
  public SqlDialect dialect() {
    return Dialects.of(SERVER.kind());
  }

  @Override
  public ConnectionFactory connections() {
    return this::connect;
  }

  /** A network of its own before the server. */
  static Proxy network() {
    return Proxy.start(Protocol.PLAIN, SERVER.port());
  }

  /** Connections over that network. */
  static ConnectionFactory connections(Proxy network) {
    String url = network.through(MySqlDatabases.ofDriver(SERVER.jdbcUrl()));
    return () -> DriverManager.getConnection(url);
  }

  @Override
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(MySqlDatabases.ofDriver(SERVER.jdbcUrl()));
  }

  @Override
  public Connection createSchema(String name) throws SQLException {
    Connection connection = connect();
    try (Statement statement = connection.createStatement()) {
      statement.execute("drop database if exists " + name);
      statement.execute("create database " + name);
    }
    connection.setCatalog(name);
    return connection;
  }

  @Override
  public Connection connectTo(String schema) throws SQLException {
    Connection connection = connect();
    connection.setCatalog(schema);
    return connection;
  }

  @Override
  public void createUser(Connection connection, String schema, String user) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("drop user if exists " + user + "@'%'");
      statement.execute("create user " + user + "@'%'");
    }
  }

  @Override
  public Connection connectAs(String schema, String user) throws SQLException {
    return DriverManager.getConnection(url(schema).replace("user=root", "user=" + user));
  }

  @Override
  public void createOwnTable(Connection connection, String schema) throws SQLException {
    Schema.of(SERVER.kind(), SchemaOptions.ofDefaults().schema(schema)).apply(connection);
  }

  @Override
  public String otherCollation() {
    return "utf8mb4_unicode_ci";
  }

  @Override
  public boolean commitsAsynchronously() {
    return false;
  }

  @Override
  public void commitAsynchronously(Connection connection) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void timeZone(int hours) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("set global time_zone = '%+03d:00'".formatted(hours));
    }
  }

  @Override
  public String sessionTimeZone(int hours) {
    return "set time_zone = '%+03d:00'".formatted(hours);
  }

  @Override
  public String timeType() {
    // A change takes the default away.
    return "datetime(6) default current_timestamp(6)";
  }

  @Override
  public String changeColumn(String table, String column, String type) {
    return "alter table " + table + " modify " + column + " " + type + " null";
  }

  @Override
  public void crash() {
    SERVER.kill();
    SERVER.start();
  }
}
