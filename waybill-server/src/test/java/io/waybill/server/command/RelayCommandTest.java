package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The relay as a process of its own, on a real PostgreSQL and a real Kafka. */
@Tag("server")
class RelayCommandTest {
  private static final String CANARY = "c4nary-s3cret";
  private static final Pattern PORT = Pattern.compile("metrics on http://127.0.0.1:([0-9]+)");
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(90));
  private static final AtomicInteger TESTS = new AtomicInteger();
  private static PostgresServer database;
  private static KafkaServer kafka;

  private final HttpClient http = HttpClient.newHttpClient();
  private final String topic = "orders-" + TESTS.incrementAndGet();
  @TempDir private Path folder;
  private Path config = Path.of("unset");
  private RelayProcesses relays;

  @BeforeAll
  static void launch() {
    database = PostgresServer.launch();
    kafka = KafkaServer.launch();
  }

  @AfterAll
  static void close() {
    kafka.close();
    database.close();
  }

  @BeforeEach
  void create() throws SQLException {
    relays = new RelayProcesses(folder);
    sql(
        "drop schema if exists one cascade; drop schema if exists two cascade;"
            + " drop schema public cascade; create schema public");
    config =
        CommandRun.write(
            folder,
            """
            server: {port: 0}
            logging: {structured.format.console: logstash}
            waybill:
              relay: {name: relay-t, grace-period: 20s}
              outboxes:
                orders:
                  database:
                    url: jdbc:postgresql://127.0.0.1:%d/postgres
                    username: postgres
                    password: ${SECRET}
                  on-published: keep
                  kafka:
                    bootstrap-servers: ["%s"]
                    create-topics: {partitions: 1, replication-factor: 1}
                  routes:
                    default: {target: %s}
            """
                .formatted(database.port(), kafka.bootstrapServers(), topic));
  }

  @AfterEach
  void end() {
    relays.close();
  }

  @Test
  void carriesEventsShowsMetricsAndStopsGracefullyOnSigterm() throws Exception {
    assertThat(run("schema", "apply").code()).isEqualTo(ExitCode.OK);
    insert("e1");
    Process relay = start();

    await().atMost(LIMIT).until(() -> get("/readyz").statusCode() == 200);
    received(1);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> assertThat(get("/metrics").body()).contains(published("orders", topic)));
    assertThat(get("/metrics").body())
        .contains(
            "waybill_events_read_total",
            "waybill_in_flight_events",
            "waybill_oldest_unpublished_age_seconds",
            "waybill_lanes_owned{outbox=\"orders\"} 64.0",
            "waybill_latency_creation_to_read_seconds_bucket",
            "waybill_latency_read_to_confirm_seconds_bucket",
            "waybill_latency_confirm_to_mark_seconds_bucket",
            "jvm_memory_used_bytes");
    assertThat(get("/livez").statusCode()).isEqualTo(200);

    CommandRun replay =
        run("events", "replay", "e1", "--yes", "--reason", "again", "--wait", "30s");
    assertThat(replay.code()).as(replay.toString()).isEqualTo(ExitCode.OK);
    received(2);

    relays.stop(relay);
    assertThat(run("status", "--json").json().get(0).get("relays")).isEmpty();
    logIsJsonWithoutSecrets();
  }

  @Test
  @Tag("long")
  void aSignalBeforeARelayBeginsEndsTheProcessAtOnce() throws Exception {
    Process relay = start();
    await().atMost(LIMIT).until(() -> log().contains("metrics on") || !relay.isAlive());
    relay.destroy();

    assertThat(relay.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(relay.exitValue()).as(log()).isIn(ExitCode.OK, ExitCode.REFUSED);
    assertThat(log()).doesNotContain("second signal");
  }

  @Tag("long")
  @Test
  void endsAtOnceOnASecondSignal() throws Exception {
    assertThat(run("schema", "apply").code()).isEqualTo(ExitCode.OK);
    Process relay = start();
    await().atMost(LIMIT).until(() -> get("/readyz").statusCode() == 200);
    insert("e1");
    received(1);
    kafka.freeze();
    try {
      insert("e2");
      await()
          .atMost(LIMIT)
          .until(() -> get("/metrics").body().contains("in_flight_events{outbox=\"orders\"} 1.0"));
      relay.destroy();
      await().atMost(LIMIT).until(() -> log().contains("stopping within 20 s"));
      relay.destroy();
      assertThat(relay.waitFor(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      kafka.thaw();
    }

    assertThat(relay.exitValue()).as(log()).isEqualTo(ExitCode.UNCLEAN_STOP);
    assertThat(log()).contains("second signal");
  }

  @Tag("long")
  @Test
  void stopsAtTheEndOfItsGracePeriodWhateverIsInFlight() throws Exception {
    Files.writeString(
        config, Files.readString(config).replace("grace-period: 20s", "grace-period: 1s"));
    assertThat(run("schema", "apply").code()).isEqualTo(ExitCode.OK);
    Process relay = start();
    await().atMost(LIMIT).until(() -> get("/readyz").statusCode() == 200);
    insert("e1");
    received(1);
    kafka.freeze();
    try {
      insert("e2");
      await()
          .atMost(LIMIT)
          .until(() -> get("/metrics").body().contains("in_flight_events{outbox=\"orders\"} 1.0"));
      relay.destroy();
      assertThat(relay.waitFor(6, TimeUnit.SECONDS)).isTrue();
    } finally {
      kafka.thaw();
    }

    assertThat(relay.exitValue()).as(log()).isEqualTo(ExitCode.UNCLEAN_STOP);
    assertThat(log()).contains("did not settle within");
  }

  @Test
  @Tag("long")
  void carriesSeveralOutboxesAndRemovesWhatWasKeptLongEnough() throws Exception {
    sql("create schema one; create schema two");
    String section = Files.readString(config);
    section = section.substring(section.indexOf("    orders:"));
    String one =
        section
            .replace("    orders:", "    one:")
            .replace("on-published: keep", "schema: {name: one}");
    String two =
        section
            .replace("    orders:", "    two:")
            .replace("on-published: keep", "schema: {name: two}\n      on-published: keep")
            .replace("target: " + topic, "target: " + topic + "-two");
    Files.writeString(config, Files.readString(config).replace(section, one + two));
    assertThat(run("schema", "apply", "-o", "one").code()).isEqualTo(ExitCode.OK);
    assertThat(run("schema", "apply", "-o", "two").code()).isEqualTo(ExitCode.OK);
    start();
    await().atMost(LIMIT).until(() -> get("/readyz").statusCode() == 200);
    insertInto("one", "e1");
    insertInto("two", "e1");

    await().atMost(LIMIT).until(() -> get("/metrics").body().contains(published("one", topic)));
    await()
        .atMost(LIMIT)
        .until(() -> get("/metrics").body().contains(published("two", topic + "-two")));
    assertThat(count("one.waybill_outbox")).isZero();
    assertThat(count("two.waybill_outbox")).isEqualTo(1);
    sql("update two.waybill_published set published_at = now() - interval '8 days'");
    await().atMost(LIMIT).until(() -> count("two.waybill_outbox") == 0);
    assertThat(count("pg_stat_activity where application_name like 'waybill relay-t-%'"))
        .as("four connections for each outbox, one for the retention")
        .isEqualTo(9);
  }

  private static String published(String outbox, String destination) {
    return "waybill_events_published_total{destination=\"%s\",outbox=\"%s\"} 1.0"
        .formatted(destination, outbox);
  }

  @Test
  @Tag("long")
  void refusesToStartWhereAStartUpCheckForbidsIt() throws Exception {
    Process relay = start();

    assertThat(relay.waitFor(90, TimeUnit.SECONDS)).isTrue();
    assertThat(relay.exitValue()).as(log()).isEqualTo(ExitCode.REFUSED);
    assertThat(log()).contains("the relay does not start").contains("waybill schema apply");
  }

  @Tag("long")
  @Test
  void waitsForADatabaseThatIsDownAndSaysSo() throws Exception {
    Files.writeString(
        config, Files.readString(config).replace("127.0.0.1:" + database.port(), "127.0.0.1:9"));
    Process relay = start();

    await().atMost(LIMIT).until(() -> log().contains("next check in"));
    assertThat(get("/livez").statusCode()).isEqualTo(200);
    HttpResponse<String> ready = get("/readyz");
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(ready.body()).contains("127.0.0.1:9");
    assertThat(get("/metrics").statusCode()).as("needs no database").isEqualTo(200);

    relays.stop(relay);
    logIsJsonWithoutSecrets();
  }

  private Process start() throws IOException {
    return relays.start(config, Map.of("SECRET", CANARY));
  }

  private CommandRun run(String... arguments) {
    return CommandRun.on(config, Map.of("SECRET", CANARY), arguments);
  }

  private void logIsJsonWithoutSecrets() throws IOException {
    JsonMapper mapper = JsonMapper.builder().build();
    List<String> lines = log().lines().toList();
    assertThat(lines).isNotEmpty();
    // What is logged before the configuration is known has the default form.
    assertThat(lines.stream().filter(line -> line.startsWith("{")).toList())
        .isNotEmpty()
        .allSatisfy(line -> assertThat(mapper.readTree(line).has("message")).isTrue());
    assertThat(log()).doesNotContain(CANARY).doesNotContain("\"n\":1");
  }

  private String log() throws IOException {
    return relays.log();
  }

  private HttpResponse<String> get(String path) throws Exception {
    await().atMost(LIMIT).until(() -> PORT.matcher(log()).find());
    Matcher matcher = PORT.matcher(log());
    assertThat(matcher.find()).isTrue();
    URI uri = URI.create("http://127.0.0.1:" + matcher.group(1) + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private void received(int count) {
    assertThat(Arrivals.await(kafka, topic, count))
        .hasSize(count)
        .allSatisfy(record -> assertThat(record.value()).isEqualTo("{\"n\":1}"));
  }

  private static void insert(String id) throws SQLException {
    insertInto("public", id);
  }

  private static void insertInto(String schema, String id) throws SQLException {
    sql(
        """
        insert into %s.waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        values ('%s', 'placed', 'order', '1', '{"n":1}')
        """
            .formatted(schema, id));
  }

  private static int count(String table) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from " + table)) {
      row.next();
      return row.getInt(1);
    }
  }

  private static void sql(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
