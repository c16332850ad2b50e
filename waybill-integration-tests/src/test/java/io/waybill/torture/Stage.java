package io.waybill.torture;

import io.waybill.admin.Admin;
import io.waybill.database.ConnectionFactory;
import io.waybill.proof.oracle.Ledger;
import io.waybill.proof.oracle.Spy;
import io.waybill.proof.server.DatabaseServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** Servers, tables and the spy of a run. */
final class Stage implements AutoCloseable {
  private static final int LOOKS = 50;
  private static final long BETWEEN_LOOKS_MILLIS = 200;

  private final OutboxTable table;
  private final Clocks clocks;
  private final TortureDatabase database;
  private final String secret;
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
    this.table = table;
    this.clocks = clocks;
    CompletableFuture<TortureBroker> starting =
        CompletableFuture.supplyAsync(() -> TortureBroker.launch(pair, password));
    this.database = new TortureDatabase(pair.database());
    this.broker = starting.join();
    try (Connection connection = connect()) {
      table.create(connection);
      Ledger.create(connection);
      Ledger.open(connection, Writers.keys());
    }
    this.secret = database.createUser(password);
    broker.create(table, keep);
    this.spy = broker.spy(table);
    this.network = new Network(database.protocol(), database.server().port(), broker);
  }

  String relayConfiguration(int relay) {
    String connection =
        """
        database:
          url: "%s"
          username: %s
        %s  properties: {%s}
        """
            .formatted(
                database.url(network.databasePort(relay)),
                TortureDatabase.USER,
                // A user of MySQL without TLS has none.
                secret.isEmpty() ? "" : "  password: ${TORTURE_PASSWORD}\n",
                database.plain());
    return """
    server: {port: -1}
    waybill:
      relay: {name: %s, grace-period: 20s}
      outboxes:
        shop:
    """
            .formatted(Role.RELAY.name(relay))
        + (connection + broker.configuration(network.brokerPort(relay)) + table.configuration())
            .indent(6);
  }

  /** Password of the relays. */
  String secret() {
    return secret;
  }

  Connection connect() throws SQLException {
    return database.connect();
  }

  DataSource dataSource() {
    return database.dataSource();
  }

  /** For an operator. */
  Admin admin() {
    return table.admin(ConnectionFactory.of(dataSource())).orElseThrow();
  }

  /** A connection through the proxy of the writers. */
  Connection connectWriter() throws SQLException {
    DatabaseServer server = database.server();
    String direct = ":" + server.port();
    String proxied = ":" + network.writersPort();
    return DriverManager.getConnection(
        server.jdbcUrl(TortureDatabase.NAME).replace(direct, proxied));
  }

  Network network() {
    return network;
  }

  TortureDatabase database() {
    return database;
  }

  /** Connections of relays, but for those that write the history, for a moment of each minute. */
  long connectionsAtRest(long allowed) throws SQLException, InterruptedException {
    long held = database.connections();
    for (int look = 0; held > allowed && look < LOOKS; look++) {
      TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MILLIS);
      held = database.connections();
    }
    return held;
  }

  Clocks clocks() {
    return clocks;
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
    return database.number(sql);
  }

  Set<String> texts(String sql) throws SQLException {
    return new HashSet<>(database.texts(sql));
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
    database.close();
  }
}
