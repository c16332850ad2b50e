package io.waybill.browser;

import com.microsoft.playwright.options.ColorScheme;
import io.waybill.it.RelayProcess;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.ProcessGuard;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/**
 * A shop at night: a database, a relay and a console as processes of their own. The broker is the
 * caller's.
 */
final class Night implements AutoCloseable {
  // The password of RabbitMQ, which must not stand in a file.
  private static final String RABBIT = "guest";
  private static final Duration LIMIT = Patience.of(Duration.ofMinutes(2));

  private final PostgresServer database = PostgresServer.launch();
  private final Path folder;
  private final ProcessGuard guard;
  private final String broker;
  private RelayProcess relay;
  private String routes;
  private final RunningConsole console;

  /**
   * Starts it.
   *
   * @param broker lines of the outbox about the broker
   * @param routes lines of the outbox about its routes
   */
  Night(String broker, String routes) throws IOException {
    this.broker = broker;
    this.routes = routes;
    folder = Files.createTempDirectory("waybill-night");
    guard = new ProcessGuard(folder);
    Files.writeString(folder.resolve("waybill.yaml"), configuration());
    waybill("schema apply");
    waybill("schema apply --inbox");
    relay = startRelay();
    console =
        RunningConsole.start(
            guard, folder, folder.resolve("waybill.yaml"), Map.of("RABBIT", RABBIT));
  }

  private String configuration() {
    return """
    server: {port: 0}
    waybill:
      relay: {name: relay-1}
      outboxes:
        orders:
          database: {url: "jdbc:postgresql://127.0.0.1:%d/postgres", username: postgres}
          retry: {attempts: 1}
    """
            .formatted(database.port())
        + broker.indent(6)
        + routes.indent(6);
  }

  /** Somebody who has logged in. */
  Person enter(Chromium chromium, int width, ColorScheme scheme) {
    return console.enter(chromium, width, scheme);
  }

  PostgresServer database() {
    return database;
  }

  private List<String> command(String words) {
    String[] all = (words + " --config " + folder.resolve("waybill.yaml")).split(" ");
    return RelayProcess.command(RelayProcess.THIS_BUILD, all);
  }

  /** Runs a command of Waybill to its end. */
  void waybill(String words) {
    String name = "command-" + words.replaceAll("[^a-z]+", "-");
    Map<String, String> environment = Map.of("RABBIT", RABBIT, "LOGGING_LEVEL_ROOT", "warn");
    RelayProcess run = RelayProcess.of(guard, folder, name, environment, command(words));
    Awaitility.await().atMost(LIMIT).until(() -> !run.isAlive());
    if (run.exitCode() != 0) {
      throw new IllegalStateException(words + " ended with " + run.exitCode() + ": " + run.log());
    }
  }

  private RelayProcess startRelay() {
    return RelayProcess.of(guard, folder, "relay", Map.of("RABBIT", RABBIT), command("relay"));
  }

  void killRelay() {
    relay.kill();
  }

  /** Runs the relay's line of a copied remedy. */
  void runRelay(String remedy) {
    if (remedy.lines().noneMatch("./waybill relay"::equals)) {
      throw new IllegalStateException("the remedy starts no relay: " + remedy);
    }
    relay = startRelay();
  }

  /** Changes the routes, and restarts the relay with them. */
  void reroute(String mended) throws IOException {
    routes = mended;
    Files.writeString(folder.resolve("waybill.yaml"), configuration());
    relay.stop();
    relay = startRelay();
  }

  /** Writes events of a type, each of a key of its own. */
  void insert(String type, int number) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
                select ? || '-' || gen_random_uuid(), ?, 'order', ? || n, '{"total":12}'
                from generate_series(1, ?) n""")) {
      insert.setString(1, type);
      insert.setString(2, type);
      insert.setString(3, type);
      insert.setInt(4, number);
      insert.executeUpdate();
    }
  }

  /**
   * Writes an event that no broker takes, before three others of its key; waits until it failed.
   */
  void insertPoison(String id) throws SQLException {
    // Too large, also when it is compressed.
    sql(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        select '%1$s', 'placed', 'order', '%1$s', convert_to(string_agg(md5(i::text), ''), 'UTF8')
        from generate_series(1, 90000) i"""
            .formatted(id));
    sql(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        select '%1$s-' || n, 'placed', 'order', '%1$s', '{}' from generate_series(1, 3) n"""
            .formatted(id));
  }

  private void sql(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() {
    guard.close();
    database.close();
  }
}
