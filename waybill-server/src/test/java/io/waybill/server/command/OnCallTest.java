package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.server.access.Passwords;
import io.waybill.server.access.UserLine;
import io.waybill.server.access.UsersFile;
import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The questions of a night, with the faults alive: a topic that is missing, a destination that
 * somebody paused, an event that is too large, events without a route. One command and one request
 * answer each, within five seconds.
 */
@Tag("server")
class OnCallTest {
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(60));

  @TempDir private static Path folder;
  private static PostgresServer database;
  private static KafkaServer kafka;
  private static RelayProcesses relays;
  private static ApiServer api;
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
    UsersFile.put(
        users,
        new UserLine(
            "night", List.of("viewer"), Passwords.hashOfToken(ApiServer.password("night"))));
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

  private static void insert(String type, String key, int number, String payload)
      throws SQLException {
    sql(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        select '%s-' || n, '%s', 'order', '%s' || n, %s from generate_series(1, %d) n"""
            .formatted(type, type, key, payload, number));
  }

  private static void sql(String sql) throws SQLException {
    try (Connection connection = database.dataSource("postgres").getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static CommandRun command(String... words) {
    return CommandRun.on(config, Map.of(), words);
  }

  private static void answered(
      String line,
      String path,
      Function<JsonNode, Object> ofCommand,
      Function<JsonNode, Object> ofApi,
      Object answer)
      throws Exception {
    long began = System.nanoTime();
    CommandRun run = command((line + " --json").split(" "));
    Duration commandTook = Duration.ofNanos(System.nanoTime() - began);
    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(ofCommand.apply(run.json())).as(line).isEqualTo(answer);
    long asked = System.nanoTime();
    HttpResponse<String> response = api.get("night", "/outboxes/orders" + path);
    Duration requestTook = Duration.ofNanos(System.nanoTime() - asked);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(ofApi.apply(ApiServer.json(response))).as(path).isEqualTo(answer);
    assertThat(commandTook).as(line).isLessThan(Patience.of(SOON));
    assertThat(requestTook).as(path).isLessThan(Patience.of(SOON));
  }

  private static JsonNode item(JsonNode list, String member, String value) {
    return list.valueStream()
        .filter(each -> each.path(member).asString("").equals(value))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no %s %s in %s".formatted(member, value, list)));
  }

  @Test
  void howManyEventsWaitOfAType() throws Exception {
    answered(
        "events count --state pending --type lost",
        "/events/count?state=pending&type=lost",
        json -> json.get("count").asInt(),
        json -> json.get("count").asInt(),
        20);
  }

  @Test
  void whichKeyIsBlockedByWhichEventAndHowManyAreBehind() throws Exception {
    answered(
        "keys blocked",
        "/keys/blocked",
        json -> item(json, "key", "order/p1").get("behind").asInt(),
        json ->
            json.get("items")
                .valueStream()
                .filter(key -> key.get("head").get("eventId").asString().equals("placed-1"))
                .findFirst()
                .orElseThrow()
                .get("behind")
                .get("count")
                .asInt(),
        3);
  }

  @Test
  void whyAnEventWaits() throws Exception {
    answered(
        "events show lost-1",
        "/event?id=lost-1",
        json -> json.get("waits").asString().contains("destination nowhere takes no events"),
        // It does not know the routes.
        json ->
            json.get("waits").asString().endsWith("take no events or are paused: audit, nowhere"),
        true);
    answered(
        "events show audited-1",
        "/event?id=audited-1",
        json -> json.get("waits").asString().startsWith("audit is paused since"),
        json -> json.get("waits").asString().contains("audit, nowhere"),
        true);
  }

  @Test
  void whichDestinationsTakeEvents() throws Exception {
    Function<JsonNode, Object> both =
        list ->
            item(list, "destination", "nowhere").get("failure").asString()
                + ", "
                + item(list, "destination", "audit").get("reason").asString();
    answered(
        "destinations list",
        "/destinations",
        both,
        json -> both.apply(json.get("items")),
        "topic-missing, ticket 7");
  }

  @Test
  void whatTheParkedEventsAre() throws Exception {
    // One of them is skipped by another question.
    answered(
        "failures list --state parked",
        "/failures?state=parked",
        json -> item(json, "eventType", "strayed").get("count").asInt() >= 29,
        json ->
            json.get("items")
                .valueStream()
                .filter(group -> group.get("sample").get("eventType").asString().equals("strayed"))
                .anyMatch(group -> group.get("events").get("count").asInt() >= 29),
        true);
  }

  @Test
  void whoDidWhatTonight() throws Exception {
    Function<JsonNode, Object> who = list -> item(list, "verb", "PAUSE").get("reason").asString();
    answered("audit", "/audit", who, json -> who.apply(json.get("items")), "ticket 7");
  }

  @Test
  void whichRelayRunsWhichConfigurationAndOwnsWhat() throws Exception {
    Function<JsonNode, Object> configuration =
        list -> !item(list, "relay", "relay-1-orders").get("configuration").asString().isEmpty();
    answered(
        "relays", "/relays", configuration, json -> configuration.apply(json.get("items")), true);
    assertThat(ApiServer.json(api.get("night", "/outboxes/orders/lanes")).get("items")).hasSize(64);
  }

  /** That it succeeded, what was said before, and how many dead ones there are. */
  @Test
  void whatBecameOfARequestAndWhatWasWrongBefore() throws Exception {
    CommandRun skip =
        command(
            "events",
            "skip",
            "strayed-30",
            "--yes",
            "--reason",
            "test order",
            "--wait=30s",
            "--json");
    assertThat(skip.code()).as(skip.out()).isEqualTo(ExitCode.OK);
    Function<JsonNode, Object> entry =
        list -> {
          JsonNode found = item(list, "eventId", "strayed-30");
          return !found.get("completedAt").isNull()
              && !found.get("earlierReason").asString("").isEmpty();
        };
    answered("audit", "/audit", entry, json -> entry.apply(json.get("items")), true);
    answered(
        "events count --state dead",
        "/events/count?state=dead",
        json -> json.get("count").asInt(),
        json -> json.get("count").asInt(),
        1);
  }
}
