package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A relay with its faults alive, and an API beside it: a topic that is missing, a destination that
 * somebody paused, an event that is too large, events without a route.
 */
@Tag("server")
abstract class FaultsAlive {
  static final Duration LIMIT = Patience.of(Duration.ofSeconds(60));

  @TempDir private static Path folder;
  private static PostgresServer database;
  private static KafkaServer kafka;
  private static RelayProcesses relays;
  static ApiServer api;
  private static Path config;

  @BeforeAll
  static void faults() throws Exception {
    database = PostgresServer.launch();
    kafka = KafkaServer.launch();
    relays = new RelayProcesses(folder);
    kafka.createTopic("orders", 1, Map.of());
    kafka.createTopic("audit", 1, Map.of());
    config =
        CommandRun.write(
            folder,
            """
            server: {port: 0}
            waybill:
              relay: {name: relay-1}
              outboxes:
                orders:
                  database: {url: "jdbc:postgresql://127.0.0.1:%d/postgres", username: postgres}
                  kafka: {bootstrap-servers: ["%s"]}
                  retry: {attempts: 1}
                  routes:
                    default: {target: orders}
                    types:
                      lost: {target: nowhere}
                      audited: {target: audit}
                      strayed: {target: "{header.none}"}
            """
                .formatted(database.port(), kafka.bootstrapServers()));
    assertThat(command("schema", "apply").code()).isEqualTo(ExitCode.OK);
    assertThat(command("destinations", "pause", "audit", "--yes", "--reason", "ticket 7").code())
        .isEqualTo(ExitCode.OK);
    insert("lost", "l", 20, "'{}'");
    insert("audited", "a", 5, "'{}'");
    insert("strayed", "s", 30, "'{}'");
    // Too large, also when it is compressed.
    insert(
        "placed",
        "p",
        1,
        "(select convert_to(string_agg(md5(i::text), ''), 'UTF8') from generate_series(1, 90000) i)");
    sql(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        select 'behind-' || n, 'placed', 'order', 'p1', '{}' from generate_series(1, 3) n""");
    relays.start(config, Map.of());
    Path users = folder.resolve("users");
    Files.write(
        users,
        List.of(
            ApiOnPostgres.user("viewer", "viewer"),
            ApiOnPostgres.user("operator", "operator"),
            ApiOnPostgres.user("administrator", "administrator")));
    api = ApiServer.start(config, users);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              JsonNode status = command("status", "--json").json().get(0);
              assertThat(status.get("parked").asInt()).isEqualTo(31);
              assertThat(status.get("failingDestinations")).hasSize(1);
            });
  }

  @AfterAll
  static void end() {
    api.close();
    relays.close();
    kafka.close();
    database.close();
  }

  static void insert(String type, String key, int number, String payload) throws SQLException {
    sql(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        select '%s-' || n, '%s', 'order', '%s' || n, %s from generate_series(1, %d) n"""
            .formatted(type, type, key, payload, number));
  }

  static void sql(String sql) throws SQLException {
    try (Connection connection = database.dataSource("postgres").getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static CommandRun command(String... words) {
    return CommandRun.on(config, Map.of(), words);
  }
}
