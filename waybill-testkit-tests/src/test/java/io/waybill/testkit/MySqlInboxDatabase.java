package io.waybill.testkit;

import io.waybill.database.AppendDialect;
import io.waybill.database.DatabaseKind;
import io.waybill.outbox.MySqlAppend;
import io.waybill.proof.server.MySqlDatabases;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Databases for inboxes on MariaDB, or on a given MySQL. */
final class MySqlInboxDatabase implements InboxDatabase {
  private final String url = MySqlDatabases.create();
  private final DatabaseKind kind;

  MySqlInboxDatabase() {
    try (Connection connection = DriverManager.getConnection(url)) {
      kind = DatabaseKind.of(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String url() {
    return url;
  }

  @Override
  public String empty() {
    return MySqlDatabases.create();
  }

  @Override
  public DatabaseKind kind() {
    return kind;
  }

  @Override
  public AppendDialect append() {
    return MySqlAppend.ofDefaults();
  }

  @Override
  public String sleep(int seconds) {
    // MySQL ends a sleep that stands alone without an error.
    return "select 1 from (select 1) as once where sleep(" + seconds + ")";
  }

  @Override
  public String ago(long seconds) {
    return "utc_timestamp(6) - interval " + seconds + " second";
  }

  @Override
  public void killConnections() throws SQLException {
    List<String> kills = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "select concat('kill ', id) from information_schema.processlist"
                    + " where id <> connection_id() and db = database()")) {
      while (result.next()) {
        kills.add(result.getString(1));
      }
    }
    for (String kill : kills) {
      run(kill);
    }
  }

  @Override
  public void createRole(String name) throws SQLException {
    run("drop user if exists " + name);
    run("create user " + name);
  }

  @Override
  public Connection as(String role) throws SQLException {
    String own = url.replaceAll("&password=[^&]*", "").replaceFirst("user=[^&]*", "user=" + role);
    return DriverManager.getConnection(own);
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
