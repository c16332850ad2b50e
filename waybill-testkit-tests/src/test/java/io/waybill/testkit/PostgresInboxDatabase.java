package io.waybill.testkit;

import io.waybill.database.AppendDialect;
import io.waybill.database.DatabaseKind;
import io.waybill.outbox.PostgresAppend;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** Databases for inboxes on the server of {@link PostgresFixture}. */
final class PostgresInboxDatabase implements InboxDatabase {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final String url = empty();

  @Override
  public String url() {
    return url;
  }

  @Override
  public String empty() {
    return PostgresFixture.SERVER.createDatabase("inbox_" + NUMBER.incrementAndGet());
  }

  @Override
  public DatabaseKind kind() {
    return DatabaseKind.POSTGRESQL;
  }

  @Override
  public AppendDialect append() {
    return PostgresAppend.ofDefaults();
  }

  @Override
  public String sleep(int seconds) {
    return "select pg_sleep(" + seconds + ")";
  }

  @Override
  public String ago(long seconds) {
    return "clock_timestamp() - interval '" + seconds + " seconds'";
  }

  @Override
  public void killConnections() throws SQLException {
    run(
        "select pg_terminate_backend(pid) from pg_stat_activity"
            + " where datname = current_database() and pid <> pg_backend_pid()");
  }

  @Override
  public void createRole(String name) throws SQLException {
    run("create role " + name);
  }

  @Override
  public Connection as(String role) throws SQLException {
    Connection connection = DriverManager.getConnection(url);
    try (Statement statement = connection.createStatement()) {
      statement.execute("set role " + role);
    }
    return connection;
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
