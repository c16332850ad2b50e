package io.waybill.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.options.ColorScheme;
import io.waybill.database.DatabaseKind;
import io.waybill.it.RelayProcess;
import io.waybill.proof.load.ListingsSql;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.ProcessGuard;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;

/** A shop that keeps its events: a database full of them, Kafka, a relay and a console. */
final class ManyEvents implements AutoCloseable {
  /** Type of the events that {@link #write} writes. */
  private static final String FRESH = "placed";

  private static final int FAILED_PERCENT = 3;
  private static final int LETTERS = 1_000;
  private static final Duration LIMIT = Patience.of(Duration.ofMinutes(10));
  // Those of ./bench listings.
  private static final Map<String, String> POSTGRES =
      Map.of("shared_buffers", "512MB", "max_wal_size", "8GB", "checkpoint_timeout", "30min");
  private static final Map<String, String> MARIADB =
      Map.of("innodb-buffer-pool-size", "512M", "innodb-log-file-size", "4G");
  private static final String KEPT =
      "select schema_name from information_schema.schemata where schema_name like 'bench%'";
  private static final String KEPT_POSTGRES =
      "select datname from pg_database where datname like 'bench%'";

  private final Path folder = Files.createTempDirectory("waybill-many");
  private final ProcessGuard guard = new ProcessGuard(folder);
  private final DatabaseServer server;
  private final KafkaServer kafka;
  private final String database;
  private final RunningConsole console;

  /**
   * Starts it, and waits until an event flows.
   *
   * @param progress receives a line about each step
   */
  ManyEvents(ScaleOptions options, Consumer<String> progress) throws IOException, SQLException {
    progress.accept("starting the servers");
    server = server(options);
    kafka = KafkaServer.launch();
    List.of("orders", "bills", "bills.dlt").forEach(topic -> kafka.createTopic(topic, 1, Map.of()));
    database = options.data().isPresent() ? kept() : "bench";
    if (options.data().isEmpty()) {
      server.createDatabase(database);
    }
    Files.writeString(folder.resolve("waybill.yaml"), configuration());
    waybill("schema apply");
    if (options.data().isEmpty()) {
      fill(options.written(), progress);
    }
    progress.accept("starting relay and console");
    run("relay", "relay");
    sendLetters();
    console = RunningConsole.start(guard, folder, folder.resolve("waybill.yaml"), Map.of());
    progress.accept("waiting until a new event is published");
    awaitFlow();
  }

  private static DatabaseServer server(ScaleOptions options) {
    Path data = options.data().orElse(null);
    boolean mariaDb = options.kind() == DatabaseKind.MARIADB;
    if (data == null) {
      return mariaDb ? MariaDbServer.launch(MARIADB) : PostgresServer.launch(POSTGRES);
    }
    return mariaDb
        ? MariaDbServer.launchOn(data, MARIADB)
        : PostgresServer.launchOn(data, POSTGRES);
  }

  private boolean isOnMariaDb() {
    return server.kind() == DatabaseKind.MARIADB;
  }

  /** The one that a measurement has left. */
  private String kept() throws SQLException {
    try (Connection connection = server.dataSource().getConnection();
        PreparedStatement names =
            connection.prepareStatement(isOnMariaDb() ? KEPT : KEPT_POSTGRES);
        ResultSet name = names.executeQuery()) {
      if (!name.next()) {
        throw new IllegalStateException("The data have no database whose name begins with bench");
      }
      return name.getString(1);
    }
  }

  private void fill(long events, Consumer<String> progress) throws SQLException {
    ListingsSql sql = new ListingsSql(server.jdbcUrl(database), isOnMariaDb());
    progress.accept("writing failures");
    sql.fail(events * FAILED_PERCENT / 100);
    progress.accept("writing kept events");
    sql.keep(1, events);
  }

  private String configuration() {
    String url = server.jdbcUrl(database);
    return """
        server: {port: 0}
        waybill:
          relay: {name: relay-1}
          outboxes:
            orders:
              database: {url: "%s", username: %s}
              on-published: keep
              retention: 3650d
              kafka: {bootstrap-servers: ["%s"]}
              routes: {default: {target: orders}}
        """
        .formatted(
            url.substring(0, url.indexOf('?')),
            isOnMariaDb() ? "root" : "postgres",
            kafka.bootstrapServers());
  }

  private RelayProcess run(String name, String words) {
    String[] all = (words + " --config " + folder.resolve("waybill.yaml")).split(" ");
    return RelayProcess.of(
        guard, folder, name, Map.of(), RelayProcess.command(RelayProcess.THIS_BUILD, all));
  }

  private void waybill(String words) {
    RelayProcess command = run("command", words);
    Awaitility.await().atMost(LIMIT).until(() -> !command.isAlive());
    if (command.exitCode() != 0) {
      throw new IllegalStateException(words + " failed: " + command.log());
    }
  }

  /** As another writer leaves them, whose letters have no headers. */
  private void sendLetters() {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int i = 0; i < LETTERS; i++) {
        Future<?> unused =
            producer.send(
                new ProducerRecord<>(
                    "bills.dlt", ("bill-" + i).getBytes(UTF_8), "{\"total\":12}".getBytes(UTF_8)));
      }
    }
  }

  private void awaitFlow() throws SQLException {
    String id = write();
    String published =
        isOnMariaDb()
            ? "select 1 from waybill_outbox where event_id = ? and published"
            : "select 1 from waybill_outbox o join waybill_published p on p.id = o.id where event_id = ?";
    try (Connection connection = server.dataSource(database).getConnection();
        PreparedStatement query = connection.prepareStatement(published)) {
      query.setString(1, id);
      Awaitility.await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(500))
          .until(
              () -> {
                try (ResultSet row = query.executeQuery()) {
                  return row.next();
                }
              });
    }
  }

  /** Writes an event, and returns its id. */
  String write() throws SQLException {
    String id = FRESH + "-" + UUID.randomUUID();
    try (Connection connection = server.dataSource(database).getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
                values (?, ?, 'order', ?, ?)""")) {
      insert.setString(1, id);
      insert.setString(2, FRESH);
      insert.setString(3, id);
      insert.setBytes(4, "{\"total\":12}".getBytes(UTF_8));
      insert.executeUpdate();
    }
    return id;
  }

  /** Somebody who has logged in. */
  Person enter(Chromium chromium) {
    return console.enter(chromium, 1280, ColorScheme.LIGHT);
  }

  @Override
  public void close() {
    guard.close();
    kafka.close();
    server.close();
  }
}
