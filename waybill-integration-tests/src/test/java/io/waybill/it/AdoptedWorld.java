package io.waybill.it;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layout;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.testkit.Patience;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.awaitility.Awaitility;

/** A database with a documented outbox in it, its writers, relays and a consumer. */
final class AdoptedWorld implements AutoCloseable {
  /** Most rows that one relay has read and not yet marked: what may be sent again after a fault. */
  static final int MAX_ROWS = 1_000;

  private final DatabaseServer engine;
  private final BrokerUnderTest broker;
  private final DocumentedOutbox document;
  private final String database;
  private final BusinessWriters writers;
  private final PlainConsumer consumer;
  private final Relays relays = new Relays();

  AdoptedWorld(
      DatabaseServer engine,
      KafkaUnderTest kafka,
      RabbitUnderTest rabbit,
      DocumentedOutbox document) {
    this.engine = engine;
    this.broker = document.onRabbit() ? rabbit : kafka;
    this.document = document;
    this.database = document.layout().replace('-', '_');
    try {
      engine.createDatabase(database);
      createTables();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    if (document.onRabbit()) {
      rabbit.createTopology("notifications.exchange", document.destinations());
    } else {
      document.destinations().forEach(broker::create);
    }
    this.writers =
        new BusinessWriters(
            engine.dataSource(database), document, engine.kind() == DatabaseKind.POSTGRESQL);
    this.consumer = PlainConsumer.of(document, kafka, rabbit);
  }

  private void createTables() throws SQLException {
    DatabaseKind kind = engine.kind();
    Layout layout = Presets.named(document.layout());
    try (Connection connection = engine.dataSource(database).getConnection()) {
      TableSchema.run(connection, TableSchema.documentedTable(document.layout(), kind));
      TableSchema.of(layout, kind, SideNames.of(layout), 1).apply(connection);
      BusinessWriters.createTable(connection);
    }
  }

  BusinessWriters writers() {
    return writers;
  }

  PlainConsumer consumer() {
    return consumer;
  }

  RelayProcess relay(String name) {
    String configuration =
        """
        server: {port: -1}
        waybill:
          relay: {name: %s, grace-period: 15s}
          outboxes:
            shop:
              layout: %s
              %s
              limits: {max-rows: %d, max-in-flight: 500, lease: 8s, renew-interval: 1s}
        %s"""
            .formatted(
                name,
                document.layout(),
                connection(),
                MAX_ROWS,
                (broker.configuration() + timeLimit() + document.configuration()).indent(6));
    return relays.start(name + "-" + UUID.randomUUID(), configuration);
  }

  private String connection() {
    boolean postgres = engine.kind() == DatabaseKind.POSTGRESQL;
    return "database: {url: \"jdbc:%s://127.0.0.1:%d/%s\", username: %s%s}"
        .formatted(
            postgres ? "postgresql" : "mariadb",
            engine.port(),
            database,
            postgres ? "postgres" : "root",
            postgres ? "" : ", properties: {sslMode: disable}");
  }

  /** Short, so that a lease may be short. */
  private String timeLimit() {
    return document.onRabbit()
        ? "  confirm-timeout: 3s\n"
        : "  delivery-timeout: 3s\n  request-timeout: 2s\n";
  }

  void awaitRelays(int count) {
    String sessions = SideNames.of(Presets.named(document.layout())).prefix() + "session";
    Awaitility.await()
        .atMost(Patience.of(Duration.ofMinutes(1)))
        .until(
            () -> {
              checkRelays();
              return number("select count(*) from " + sessions) == count;
            });
  }

  /** Rows that are not as documented for a published event. */
  long unfinished() {
    return number(document.unfinished());
  }

  private long number(String sql) {
    try (Connection connection = engine.dataSource(database).getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
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
    consumer.close();
  }
}
