package io.waybill.torture;

import io.waybill.database.DatabaseKind;
import io.waybill.proof.proxy.Protocol;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.proof.server.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The database server of a run, its disk, and what takes its place. */
final class TortureDatabase implements AutoCloseable {
  static final String NAME = "torture";

  /** Who processes log in as; writers and judges are the superuser. */
  static final String USER = "relay";

  // A server that ends by itself has recovered by then.
  private static final Duration REVIVAL = Duration.ofSeconds(10);

  private final Disk disk = Disk.forDatabase();
  private volatile DatabaseServer server;
  private @Nullable PostgresServer standby;

  TortureDatabase(DatabaseKind kind) {
    server = DatabaseServer.launch(kind, disk.folder());
    server.createDatabase(NAME);
  }

  /**
   * Makes the user of the processes; in MariaDB and MySQL one whom a read-only server stops.
   *
   * @return the password; none in MySQL, which asks for TLS then, that proxies cannot read
   */
  String createUser(String password) throws SQLException {
    String secret = server.kind() == DatabaseKind.MYSQL ? "" : password;
    if (isPostgres()) {
      execute("create role " + USER + " superuser login password '" + password + "'");
    } else {
      execute("create user " + USER + " identified by '" + secret + "'");
      execute("grant all on " + NAME + ".* to " + USER);
    }
    return secret;
  }

  boolean isPostgres() {
    return server.kind() == DatabaseKind.POSTGRESQL;
  }

  Protocol protocol() {
    return isPostgres() ? Protocol.POSTGRESQL : Protocol.MYSQL;
  }

  /** JDBC URL without user, for a port that may be a proxy's. */
  String url(int port) {
    return "jdbc:%s://127.0.0.1:%d/%s"
        .formatted(isPostgres() ? "postgresql" : "mariadb", port, NAME);
  }

  /** Turns TLS off, which proxies cannot read. */
  String plain() {
    return isPostgres() ? "sslmode: disable" : "sslMode: disable";
  }

  DatabaseServer server() {
    return server;
  }

  Disk disk() {
    return disk;
  }

  DataSource dataSource() {
    return server.dataSource(NAME);
  }

  Connection connect() throws SQLException {
    return dataSource().getConnection();
  }

  void execute(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  long number(String sql) throws SQLException {
    return Long.parseLong(texts(sql).get(0));
  }

  /** The first column of all rows. */
  List<String> texts(String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        texts.add(row.getString(1));
      }
    }
    return texts;
  }

  /** Connections that processes hold. */
  long connections() throws SQLException {
    return sessions().size();
  }

  private List<String> sessions() throws SQLException {
    return texts(
        isPostgres()
            ? "select pid from pg_stat_activity where usename = '" + USER + "'"
            : "select id from information_schema.processlist where user = '" + USER + "'");
  }

  /** Makes it refuse all changes of processes, or take them again with all connections cut. */
  void readOnly(boolean on) {
    try {
      if (isPostgres()) {
        execute(
            "set default_transaction_read_only = off",
            "alter system set default_transaction_read_only = " + (on ? "on" : "off"),
            "select pg_reload_conf()");
      } else {
        execute("set global read_only = " + (on ? 1 : 0));
      }
      if (!on) {
        for (String session : sessions()) {
          end(endOf(session));
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the database cannot be switched over", e);
    }
  }

  /** Ends the connection that holds the lock of a relay's session, if one does. */
  void endLock(String sessions, String relay) {
    String holders =
        isPostgres()
            ? """
              select k.pid from pg_locks k
              join ${sessions} s on k.objid::bigint = s.fence % 2147483648
              where k.locktype = 'advisory' and k.classid = '${sessions}'::regclass::oid
                and s.relay like '${relay}%'"""
            : """
              select is_used_lock(concat('waybill.',
                left(sha2(concat(database(), '.', '${sessions}'), 256), 24), '.', s.fence))
              from ${sessions} s where s.relay like '${relay}%'""";
    try {
      for (String holder :
          texts(holders.replace("${sessions}", sessions).replace("${relay}", relay))) {
        if (holder != null) {
          end(endOf(holder));
        }
      }
    } catch (SQLException e) {
      // The database is away: there are no locks.
    }
  }

  private String endOf(String session) {
    return (isPostgres() ? "select pg_terminate_backend(%s)" : "kill %s").formatted(session);
  }

  private void end(String sql) {
    try {
      execute(sql);
    } catch (SQLException e) {
      // It has ended since it was listed.
    }
  }

  /** Starts a standby, for which all commits wait from now on. */
  void standBy() {
    standby = ((PostgresServer) server).standby();
  }

  /** Kills the server; the standby takes its place. Returns the new port. */
  int failOver() {
    PostgresServer next = Objects.requireNonNull(standby);
    DatabaseServer old = server;
    // A part of it that sees others die would show what the standby does not have yet.
    old.freeze();
    old.kill();
    next.promote();
    server = next;
    standby = null;
    old.close();
    return next.port();
  }

  /** Starts the server again if it did not get over what happened to it. */
  void revive() throws InterruptedException {
    long end = System.nanoTime() + REVIVAL.toNanos();
    while (System.nanoTime() < end) {
      try (Connection connection = connect()) {
        if (connection.isValid(1)) {
          return;
        }
      } catch (SQLException e) {
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
    server.kill();
    server.start();
  }

  @Override
  public void close() {
    if (standby != null) {
      standby.close();
    }
    server.close();
    disk.close();
  }
}
