package io.waybill.it;

import io.waybill.jdbc.LayoutSchema;
import io.waybill.jdbc.dialect.SideNames;
import io.waybill.jdbc.dialect.SqlDialect;
import io.waybill.layout.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;

/** A database with a documented outbox in it, its writers, relays and a consumer. */
final class AdoptedWorld implements AutoCloseable {
  /** Most rows that one relay has read and not yet marked: what may be sent again after a fault. */
  static final int MAX_ROWS = 1_000;

  private final EngineUnderTest engine;
  private final BrokerUnderTest broker;
  private final DocumentedOutbox document;
  private final String database;
  private final Path folder;
  private final BusinessWriters writers;
  private final PlainConsumer consumer;
  private final List<RelayProcess> relays = new ArrayList<>();

  AdoptedWorld(
      EngineUnderTest engine,
      KafkaUnderTest kafka,
      RabbitUnderTest rabbit,
      DocumentedOutbox document) {
    this.engine = engine;
    this.broker = document.onRabbit() ? rabbit : kafka;
    this.document = document;
    this.database = document.layout().replace('-', '_');
    try {
      this.folder = Files.createTempDirectory("waybill-it");
      engine.createDatabase(database);
      createTables();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    if (document.onRabbit()) {
      rabbit.createTopology("notifications.exchange", document.destinations());
    } else {
      document.destinations().forEach(broker::create);
    }
    this.writers = new BusinessWriters(engine.dataSource(database), document, engine.postgres());
    this.consumer = PlainConsumer.of(document, kafka, rabbit);
  }

  private void createTables() throws SQLException {
    SqlDialect dialect = engine.dialect();
    Layout layout = Presets.named(document.layout());
    try (Connection connection = engine.dataSource(database).getConnection()) {
      LayoutSchema.run(connection, LayoutSchema.documentedTable(document.layout(), dialect));
      LayoutSchema.of(layout, dialect, SideNames.of(layout), 1).apply(connection);
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
        relay: {name: %s, grace-period: 15s}
        http: {enabled: false}
        outboxes:
          shop:
            layout: %s
            %s
        %s
            limits: {max-rows: %d, max-in-flight: 500, lease: 8s, renew-interval: 1s}
        %s
        """
            .formatted(
                name,
                document.layout(),
                engine.configuration(database),
                broker.configuration().indent(0).stripTrailing() + timeLimit(),
                MAX_ROWS,
                document.configuration().indent(4));
    RelayProcess relay = RelayProcess.start(folder, name + "-" + UUID.randomUUID(), configuration);
    relays.add(relay);
    return relay;
  }

  /** Short, so that a lease may be short. */
  private String timeLimit() {
    return document.onRabbit()
        ? "\n      confirm-timeout: 3s"
        : "\n      delivery-timeout: 3s\n      request-timeout: 2s";
  }

  void awaitRelays(int count) {
    String sessions = SideNames.of(Presets.named(document.layout())).prefix() + "session";
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
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
    for (RelayProcess relay : relays) {
      if (relay.endedByItself()) {
        throw new IllegalStateException("a relay ended by itself: " + logs());
      }
    }
  }

  String logs() {
    StringBuilder text = new StringBuilder();
    for (RelayProcess relay : relays) {
      String log = relay.log();
      text.append("\n--- relay, alive ").append(relay.isAlive()).append('\n');
      text.append(log.substring(Math.max(0, log.length() - 4000)));
    }
    return text.toString();
  }

  @Override
  public void close() {
    relays.forEach(RelayProcess::close);
    consumer.close();
  }
}
