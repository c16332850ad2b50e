package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.proof.proxy.Protocol;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.RabbitServer;
import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The age of the oldest event is the table's, whatever the relay has read of it. */
@Tag("server")
@Tag("long")
class BacklogAgeTest {
  private static final Duration LIMIT = Patience.of(Duration.ofMinutes(2));
  private static final double LOOK_SECONDS = 17;
  private static final Pattern PORT = Pattern.compile("metrics on http://127.0.0.1:([0-9]+)");
  private static final Map<String, String> SECRETS = Map.of("RABBIT", "guest");
  private static PostgresServer database;
  private static RabbitServer rabbit;

  private final HttpClient http = HttpClient.newHttpClient();
  @TempDir private Path folder;
  private Path config = Path.of("unset");
  private RelayProcesses relays;
  private Proxy proxy;

  @BeforeAll
  static void launch() {
    database = PostgresServer.launch();
    rabbit = RabbitServer.launch();
  }

  @AfterAll
  static void close() {
    rabbit.close();
    database.close();
  }

  @BeforeEach
  void start() throws Exception {
    sql("drop schema public cascade; create schema public");
    relays = new RelayProcesses(folder);
    proxy = Proxy.start(Protocol.AMQP, rabbit.port());
    config =
        CommandRun.write(
            folder,
            """
            server: {port: 0}
            waybill:
              relay: {name: relay-t}
              outboxes:
                orders:
                  database: {url: "jdbc:postgresql://127.0.0.1:%d/postgres", username: postgres}
                  rabbitmq:
                    addresses: ["127.0.0.1:%d"]
                    password: ${RABBIT}
                    topology:
                      exchanges: {orders: {type: topic}}
                      queues: {orders: {type: quorum}}
                      bindings: [{exchange: orders, queue: orders, routing-key: "#"}]
                  routes:
                    default: {target: orders, routing-key: "{header.place}"}
            """
                .formatted(database.port(), proxy.port()));
    assertThat(CommandRun.on(config, SECRETS, "schema", "apply").code()).isEqualTo(ExitCode.OK);
    relays.start(config, SECRETS);
    await().atMost(LIMIT).until(() -> get("/readyz").endsWith("\"status\":\"UP\"}"));
  }

  @AfterEach
  void end() {
    relays.close();
    proxy.close();
  }

  @Test
  void itGrowsWhileTheBrokerIsAwayAndTheRelayIdle() throws Exception {
    proxy.refuse();
    proxy.reset();
    await().atMost(LIMIT).until(() -> get("/readyz").contains("accepts no messages"));

    insert("e1", "{\"place\":\"a\"}");

    growsAsStatusSays();
  }

  @Test
  void itGrowsBehindAParkedEvent() throws Exception {
    insert("e1", null);
    await().atMost(LIMIT).until(() -> status("parked") == 1);
    insert("e2", "{\"place\":\"a\"}");

    growsAsStatusSays();
    await().atMost(LIMIT).until(() -> metric("waybill_backlog_parked_events") == 1);
    await().atMost(LIMIT).until(() -> metric("waybill_backlog_held_events") == 1);
    assertThat(metric("waybill_events_held_total")).isEqualTo(1);
  }

  private void growsAsStatusSays() throws Exception {
    String age = "waybill_oldest_unpublished_age_seconds";
    await().atMost(LIMIT).until(() -> metric(age) > LOOK_SECONDS);
    double said = status("oldestUnpublishedSeconds");
    assertThat(metric(age)).isBetween(said - 2, said + 2);
  }

  private double metric(String name) throws Exception {
    Matcher matcher =
        Pattern.compile("(?m)^" + name + "\\{outbox=\"orders\"\\} ([0-9.E]+)$")
            .matcher(get("/metrics"));
    return matcher.find() ? Double.parseDouble(matcher.group(1)) : -1;
  }

  private double status(String name) {
    return CommandRun.on(config, SECRETS, "status", "--json").json().get(0).get(name).asDouble();
  }

  private String get(String path) throws Exception {
    await().atMost(LIMIT).until(() -> PORT.matcher(log()).find());
    Matcher matcher = PORT.matcher(log());
    assertThat(matcher.find()).isTrue();
    URI uri = URI.create("http://127.0.0.1:" + matcher.group(1) + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }

  private String log() throws IOException {
    return relays.log();
  }

  private static void insert(String id, @Nullable String headers) throws SQLException {
    sql(
        """
        insert into waybill_outbox
          (event_id, event_type, aggregate_type, aggregate_id, payload, headers)
        values ('%s', 'placed', 'order', '1', '{"n":1}', %s)
        """
            .formatted(id, headers == null ? "default" : "'" + headers + "'"));
  }

  private static void sql(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
