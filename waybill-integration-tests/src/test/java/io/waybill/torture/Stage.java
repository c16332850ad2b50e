package io.waybill.torture;

import io.waybill.admin.Admin;
import io.waybill.jdbc.ConnectionFactory;
import io.waybill.jdbc.DatabaseKind;
import io.waybill.testkit.DatabaseServer;
import io.waybill.testkit.PostgresServer;
import io.waybill.testkit.oracle.Ledger;
import io.waybill.testkit.oracle.Spy;
import io.waybill.testkit.proxy.Protocol;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Servers, tables and the spy of a run. */
final class Stage implements AutoCloseable {
  private static final String DATABASE = "torture";
  private static final String USER = "relay";
  // A database that ends by itself has recovered by then.
  private static final Duration REVIVAL = Duration.ofSeconds(10);

  private final Pair pair;
  private final OutboxTable table;
  private final Disk disk;
  private final Clocks clocks;
  private volatile DatabaseServer database;
  private @Nullable PostgresServer standby;
  private final TortureBroker broker;
  private final Spy spy;
  private final Network network;

  /**
   * Starts servers.
   *
   * @param keep how long topics keep records that delete by time
   */
  Stage(Pair pair, OutboxTable table, String password, Clocks clocks, Duration keep)
      throws SQLException {
    this.pair = pair;
    this.table = table;
    this.clocks = clocks;
    CompletableFuture<TortureBroker> starting =
        CompletableFuture.supplyAsync(() -> TortureBroker.launch(pair, password));
    this.disk = Disk.forDatabase();
    this.database = DatabaseServer.launch(pair.database(), disk.folder());
    this.broker = starting.join();
    database.createDatabase(DATABASE);
    try (Connection connection = connect()) {
      table.create(connection);
      Ledger.create(connection);
      Ledger.open(connection, Writers.keys());
      createUser(connection, password);
    }
    broker.create(table, keep);
    this.spy = broker.spy(table);
    boolean postgres = pair.database() == DatabaseKind.POSTGRESQL;
    this.network =
        new Network(postgres ? Protocol.POSTGRESQL : Protocol.MYSQL, database.port(), broker);
  }

  private void createUser(Connection connection, String password) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (pair.database() == DatabaseKind.POSTGRESQL) {
        statement.execute("create role relay superuser login password '" + password + "'");
      } else {
        statement.execute("create user relay identified by '" + password + "'");
        statement.execute("grant all on *.* to relay");
      }
    }
  }

  String relayConfiguration(int relay) {
    boolean postgres = pair.database() == DatabaseKind.POSTGRESQL;
    String connection =
        """
        database:
          url: "jdbc:%s://127.0.0.1:%d/%s"
          user: %s
          password: ${TORTURE_PASSWORD}
          properties: {%s: disable}
        """
            .formatted(
                postgres ? "postgresql" : "mariadb",
                network.databasePort(relay),
                DATABASE,
                USER,
                postgres ? "sslmode" : "sslMode");
    return """
    relay: {name: %s, grace-period: 20s}
    http: {enabled: false}
    outboxes:
      shop:
    """
            .formatted(Fleet.name(relay))
        + (connection + broker.configuration(network.brokerPort(relay)) + table.configuration())
            .indent(4);
  }

  Connection connect() throws SQLException {
    return dataSource().getConnection();
  }

  DataSource dataSource() {
    return database.dataSource(DATABASE);
  }

  /** For an operator. */
  Admin admin() {
    return table.admin(ConnectionFactory.of(dataSource())).orElseThrow();
  }

  /** A connection through the proxy of the writers. */
  Connection connectWriter() throws SQLException {
    String direct = ":" + database.port();
    String proxied = ":" + network.writersPort();
    return DriverManager.getConnection(database.jdbcUrl(DATABASE).replace(direct, proxied));
  }

  Network network() {
    return network;
  }

  DatabaseServer database() {
    return database;
  }

  Disk disk() {
    return disk;
  }

  Clocks clocks() {
    return clocks;
  }

  /** Starts a standby, for which all commits wait from now on. */
  void standBy() {
    standby = ((PostgresServer) database).standby();
  }

  /** Kills the database; the standby takes its place, and relays and writers are led to it. */
  void failOver() {
    PostgresServer next = Objects.requireNonNull(standby);
    DatabaseServer old = database;
    // A part of it that sees others die would show what the standby does not have yet.
    old.freeze();
    old.kill();
    next.promote();
    database = next;
    standby = null;
    network.follow(next.port());
    old.close();
  }

  /** Starts the database again if it did not get over what happened to it. */
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
    database.kill();
    database.start();
  }

  TortureBroker broker() {
    return broker;
  }

  OutboxTable table() {
    return table;
  }

  Spy spy() {
    return spy;
  }

  long number(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  Set<String> texts(String sql) throws SQLException {
    Set<String> texts = new HashSet<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        texts.add(row.getString(1));
      }
    }
    return texts;
  }

  /** Connections that relays hold to the database. */
  long relayConnections() throws SQLException {
    return number(
        pair.database() == DatabaseKind.POSTGRESQL
            ? "select count(*) from pg_stat_activity where usename = 'relay'"
            : "select count(*) from information_schema.processlist where user = 'relay'");
  }

  long sessions() throws SQLException {
    return number("select count(*) from " + table.prefix() + "session");
  }

  /** Lanes without an owner. */
  long orphans() throws SQLException {
    return number("select count(*) from " + table.prefix() + "lane where fence is null");
  }

  @Override
  public void close() {
    spy.close();
    network.close();
    broker.close();
    if (standby != null) {
      standby.close();
    }
    database.close();
    disk.close();
  }
}
