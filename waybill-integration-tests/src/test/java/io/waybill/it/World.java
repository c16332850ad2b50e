package io.waybill.it;

import io.waybill.proof.oracle.Ledger;
import io.waybill.proof.oracle.Oracle;
import io.waybill.proof.oracle.Spy;
import io.waybill.proof.oracle.Verdict;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.server.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.postgresql.ds.PGSimpleDataSource;

/** One test's world: a database of its own, relays, a shop, a spy. */
final class World implements AutoCloseable {
  /**
   * Most rows of one relay that are sent or confirmed and not yet marked, so that the bound on
   * duplicates means something: after a fault all of these may come again.
   */
  static final int MAX_IN_FLIGHT = 500;

  private final BrokerUnderTest broker;
  private final String database;
  private final String url;
  private final Relays relays = new Relays();
  private final Spy spy;
  private String extra = "";
  private String route;

  World(PostgresServer postgres, BrokerUnderTest broker, String name) {
    this(postgres, broker, name, Schemas::apply);
  }

  /** With tables that somebody else makes. */
  World(PostgresServer postgres, BrokerUnderTest broker, String name, Work schema) {
    this(broker, name, create(postgres, name), schema);
  }

  /** With a database that everybody reaches by another way. */
  World(PostgresServer postgres, BrokerUnderTest broker, String name, Proxy way) {
    this(broker, name, way.through(create(postgres, name)), Schemas::apply);
  }

  private World(BrokerUnderTest broker, String name, String url, Work schema) {
    this.broker = broker;
    this.database = name;
    this.url = url;
    this.route = broker.route();
    execute(schema);
    execute(Ledger::create);
    broker.create(type());
    this.spy = broker.spy(List.of(type()));
  }

  private static String create(PostgresServer postgres, String name) {
    postgres.createDatabase(name);
    return postgres.jdbcUrl(name);
  }

  interface Work {
    void with(Connection connection) throws SQLException;
  }

  void execute(Work work) {
    try (Connection connection = dataSource().getConnection()) {
      work.with(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  DataSource dataSource() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    return source;
  }

  String url() {
    return url;
  }

  /** Event type of this world, and the name of the destination it goes to. */
  String type() {
    return database + ".order.placed";
  }

  Spy spy() {
    return spy;
  }

  /** Adds lines to the outbox section of the configuration of relays started from now on. */
  void configure(String lines) {
    extra = lines;
  }

  /** Relays that are started from now on have another default route. */
  void route(String other) {
    route = other;
  }

  void rightRoute() {
    route = broker.route();
  }

  RelayProcess relay(String name) {
    return relay(RelayProcess.THIS_BUILD, name);
  }

  RelayProcess relay(List<String> build, String name) {
    return relay(build, name, Map.of());
  }

  /** With variables of its environment. */
  RelayProcess relay(List<String> build, String name, Map<String, String> environment) {
    String configuration =
        """
        server: {port: -1}
        waybill:
          relay: {name: %s, grace-period: 15s}
          outboxes:
            shop:
              database: {url: "%s", username: postgres}
        %s"""
            .formatted(name, databaseUrl(), outbox().indent(6));
    return relays.start(build, name, configuration, environment);
  }

  private String databaseUrl() {
    return url.replaceFirst("\\?.*", "");
  }

  /** The rest of an outbox' section. */
  private String outbox() {
    return """
        %sroutes:
          default: %s
        limits: {max-rows: %d}
        %s
        """
        .formatted(broker.configuration(), route, MAX_IN_FLIGHT, extra);
  }

  Shop shop(int perSecond) {
    return new Shop(dataSource(), type(), perSecond);
  }

  /** Waits until every committed event that is not visibly set aside has arrived. */
  Verdict converge(Duration within) {
    Awaitility.await()
        .atMost(within)
        .pollInterval(Duration.ofMillis(250))
        .untilAsserted(
            () -> {
              Verdict verdict = verdict();
              if (verdict.lost() > 0) {
                throw new AssertionError(verdict + logs());
              }
            });
    return verdict();
  }

  Verdict verdict() {
    try (Connection connection = dataSource().getConnection()) {
      return Oracle.compare(Ledger.committed(connection), spy.copies(), ids(connection, SET_ASIDE));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final String SET_ASIDE =
      "select event_id from waybill_outbox_status where status in ('PARKED', 'DEAD') or held";

  Set<String> setAside() {
    try (Connection connection = dataSource().getConnection()) {
      return ids(connection, SET_ASIDE);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  Set<String> withStatus(String status) {
    try (Connection connection = dataSource().getConnection()) {
      return ids(
          connection, "select event_id from waybill_outbox_status where status = '" + status + "'");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Set<String> ids(Connection connection, String sql) throws SQLException {
    Set<String> ids = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        ids.add(row.getString(1));
      }
    }
    return ids;
  }

  long count(String sql) {
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The fence of each lane's owner. */
  Map<Integer, Long> owners() {
    Map<Integer, Long> owners = new HashMap<>();
    execute(
        connection -> {
          try (Statement statement = connection.createStatement();
              ResultSet row = statement.executeQuery("select lane, fence from waybill_lane")) {
            while (row.next()) {
              owners.put(row.getInt(1), row.getLong(2));
            }
          }
        });
    return owners;
  }

  void checkRelays() {
    relays.check();
  }

  String logs() {
    return relays.logs();
  }

  @Override
  public void close() {
    relays.close();
    spy.close();
  }
}
