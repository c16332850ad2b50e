package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.encode.DeadLetterEncoder;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.message.Payload;
import io.waybill.message.ReceivedEvent;
import io.waybill.testkit.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The commands about dead letters, on a real broker and a real PostgreSQL. */
abstract class DeadLetterCommandsContract {
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final byte[] BINARY = {0, -1, 'x'};
  private static final DeadLetterEncoder PAYMENT = new DeadLetterEncoder("payment");
  private static final DeadLetterEncoder INVENTORY = new DeadLetterEncoder("inventory");
  private static PostgresServer database;

  final String source = "orders-" + NUMBERS.incrementAndGet();
  @TempDir private Path folder;
  private Path config = Path.of("unset");

  /**
   * A message that came back.
   *
   * @param body its body
   * @param headers its headers
   */
  record Came(byte[] body, Map<String, String> headers) {
    String id() {
      return String.valueOf(headers.get("waybill-event-id"));
    }
  }

  /** The broker's part of the configuration of an outbox, indented by four. */
  abstract String broker();

  /** Creates a topic or queue of a single order. */
  abstract void create(String name) throws Exception;

  /** Takes a topic or queue away. */
  abstract void drop(String name) throws Exception;

  abstract void send(Outgoing message) throws Exception;

  /** Where a message for a topic or queue goes. */
  abstract Destination destination(String name);

  /** Everything that has come to a topic or queue since it was created, once it is so much. */
  abstract List<Came> come(String name, int count) throws Exception;

  /** Whether letters stay when they were sent again. */
  abstract boolean keeps();

  @BeforeAll
  static void launchDatabase() {
    database = PostgresServer.launch();
  }

  @AfterAll
  static void closeDatabase() {
    database.close();
  }

  @BeforeEach
  void prepare() throws Exception {
    create(source);
    create(source + ".dlt");
    sql("drop schema public cascade; create schema public");
    config =
        CommandRun.write(
            folder,
            """
            outboxes:
              orders:
                database: {url: "jdbc:postgresql://127.0.0.1:%d/postgres", user: postgres}
            %s
                routes:
                  default: {target: orders}
            """
                .formatted(database.port(), broker()));
    assertThat(run("schema", "apply").code()).isEqualTo(ExitCode.OK);
  }

  /** Two of one key, one of another, one that is no JSON. */
  private void bury() throws Exception {
    bury(PAYMENT, "e1", "placed", "1", json("e1"), Duration.ofHours(2));
    bury(PAYMENT, "e2", "placed", "1", json("e2"), Duration.ofHours(1));
    bury(INVENTORY, "e3", "paid", "2", json("e3"), Duration.ofMinutes(1));
    bury(PAYMENT, "e4", "placed", "3", BINARY, Duration.ofMinutes(1));
  }

  private static byte[] json(String id) {
    return ("{\"n\": 1.50, \"id\":\"" + id + "\"}").getBytes(StandardCharsets.UTF_8);
  }

  private void bury(
      DeadLetterEncoder encoder, String id, String type, String key, byte[] body, Duration ago)
      throws Exception {
    Headers headers =
        new Headers(
            List.of(
                new Header("waybill-event-id", id),
                new Header("waybill-event-type", type),
                new Header("waybill-aggregate-type", "order"),
                new Header("waybill-aggregate-id", key),
                new Header("content-type", "application/vnd.shop"),
                new Header("tenant", "red")));
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    ReceivedEvent event =
        new ReceivedEvent(
            id,
            type,
            1,
            null,
            source,
            null,
            null,
            Payload.of(body, "application/vnd.shop"),
            headers,
            null,
            null,
            null,
            Map.of(),
            0);
    send(
        encoder.encode(
            new DeadLetterEncoder.Original(source, bytes, body, headers, 0, event),
            new DeadLetterEncoder.Verdict(
                "permanent", "IllegalState: no", Instant.now().minus(ago)),
            destination(source + ".dlt"),
            1));
  }

  @Test
  void listFiltersByEveryCondition() throws Exception {
    bury();
    assertThat(ids("list")).containsExactly("e1", "e2", "e3", "e4");
    assertThat(ids("list", "e2", "e4")).containsExactly("e2", "e4");
    assertThat(ids("list", "--type", "paid")).containsExactly("e3");
    assertThat(ids("list", "--key", "order/1")).containsExactly("e1", "e2");
    assertThat(ids("list", "--key", "2")).containsExactly("e3");
    assertThat(ids("list", "--consumer", "inventory")).containsExactly("e3");
    assertThat(ids("list", "--older-than", "90m")).containsExactly("e1");
    assertThat(ids("list", "--newer-than", "90m", "--type", "placed")).containsExactly("e2", "e4");
    assertThat(ids("list", "--limit", "2")).containsExactly("e1", "e2");
    assertThat(run("dlt", "list", source + ".dlt").out())
        .contains("payment", "permanent", "IllegalState: no");
    assertThat(ids("list")).as("a look changes nothing").containsExactly("e1", "e2", "e3", "e4");
  }

  @Test
  void showShowsTheWholeOriginal() throws Exception {
    bury();
    JsonNode shown = run("dlt", "show", source, "e1", "--payload", "--json").json();
    assertThat(shown.get("source").asString()).isEqualTo(source);
    assertThat(shown.get("payload").asString())
        .isEqualTo(new String(json("e1"), StandardCharsets.UTF_8));
    assertThat(shown.get("contentType").asString()).isEqualTo("application/vnd.shop");
    assertThat(shown.get("headers").toString()).contains("tenant: red").doesNotContain("dead-");
    assertThat(run("dlt", "show", source, "e1").out()).doesNotContain("1.50");
    assertThat(run("dlt", "show", source, "none").code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(run("dlt", "show", source).code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void redriveIsDryFirstAndKeepsOrderBytesAndHeaders() throws Exception {
    bury();
    CommandRun dry = run("dlt", "redrive", source, "--consumer", "payment");
    assertThat(dry.code()).as(dry.toString()).isEqualTo(ExitCode.OK);
    assertThat(dry.out()).contains("Would redrive 3", "Nothing was changed");
    assertThat(run("dlt", "redrive", source, "--consumer", "payment", "--yes").code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(run("dlt", "redrive", source, "--yes", "--reason", "all").err()).contains("which");
    assertThat(texts("select verb from waybill_audit")).isEmpty();

    CommandRun done = redrive("--consumer", "payment");

    assertThat(done.code()).as(done.toString()).isEqualTo(ExitCode.OK);
    assertThat(done.json().get("redriven").asInt()).isEqualTo(3);
    List<Came> came = come(source, 3);
    assertThat(came).extracting(Came::id).containsExactly("e1", "e2", "e4");
    assertThat(came.get(0).body()).isEqualTo(json("e1"));
    assertThat(came.get(2).body()).isEqualTo(BINARY);
    assertThat(came.get(0).headers())
        .containsEntry("waybill-redriven", "1")
        .containsEntry("waybill-redriven-for", "payment")
        .containsEntry("tenant", "red")
        .containsEntry("content-type", "application/vnd.shop")
        .doesNotContainKey("waybill-dead-reason");
    assertThat(
            texts(
                "select verb, event_id, destination, requested_by, reason, done from waybill_audit"
                    + " order by id"))
        .first()
        .isEqualTo("REDRIVE|e1|" + source + ".dlt|operator|mended|t");
    assertThat(ids("list")).isEqualTo(keeps() ? List.of("e1", "e2", "e3", "e4") : List.of("e3"));
  }

  @Test
  void whatWasRedrivenIsNotSentTwiceUnlessAskedFor() throws Exception {
    bury();
    assertThat(redrive("e1").code()).isEqualTo(ExitCode.OK);
    assertThat(redrive("e1").code()).isEqualTo(ExitCode.FINDINGS);
    CommandRun again = redrive("e1", "--again");
    assertThat(again.code()).isEqualTo(keeps() ? ExitCode.OK : ExitCode.FINDINGS);
    List<Came> came = come(source, keeps() ? 2 : 1);
    assertThat(came).extracting(Came::id).containsOnly("e1");
    if (keeps()) {
      assertThat(run("dlt", "list", source, "e1", "--json").json().get(0).get("redriven").asInt())
          .isEqualTo(1);
    }
  }

  @Test
  void redriveIsNoFasterThanItsRate() throws Exception {
    for (int i = 0; i < 12; i++) {
      bury(PAYMENT, "e" + i, "placed", "1", json("e" + i), Duration.ZERO);
    }
    long started = System.nanoTime();
    assertThat(redrive("--type", "placed", "--rate", "10").code()).isEqualTo(ExitCode.OK);
    assertThat(System.nanoTime() - started).isGreaterThan(Duration.ofMillis(1_050).toNanos());
    assertThat(come(source, 12))
        .extracting(Came::id)
        .containsExactlyElementsOf(IntStream.range(0, 12).mapToObj(i -> "e" + i).toList());
    assertThat(run("dlt", "redrive", source, "e1", "--rate", "0").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void nothingMoreIsSentAfterAFailureAndTheLetterStays() throws Exception {
    bury();
    drop(source);
    CommandRun failed = redrive("--consumer", "payment");
    assertThat(failed.code()).as(failed.toString()).isEqualTo(ExitCode.FINDINGS);
    assertThat(failed.json().get("redriven").asInt()).isZero();
    assertThat(failed.json().get("failure").asString()).startsWith("e1: ");
    assertThat(texts("select event_id, done from waybill_audit")).containsExactly("e1|f");
    assertThat(ids("list")).containsExactly("e1", "e2", "e3", "e4");
  }

  @Test
  void aLetterThatCannotBeReadIsNamedAndStays() throws Exception {
    send(
        new Outgoing(
            1,
            destination(source + ".dlt"),
            null,
            "not a letter".getBytes(StandardCharsets.UTF_8),
            "text/plain",
            "",
            "",
            0,
            List.of(new Header("waybill-dead-consumer", "payment"))));
    JsonNode shown = run("dlt", "show", source, "--consumer", "payment", "--json").json();
    assertThat(shown.get("readable").asBoolean()).isFalse();
    assertThat(redrive("--consumer", "payment").json().get("failure").asString())
        .contains("no original");
    assertThat(run("dlt", "list", source, "--json").json()).hasSize(1);
  }

  @Test
  void deadLettersThatAreNotThereAreExitCode4() {
    CommandRun run = run("dlt", "list", "nowhere");
    assertThat(run.code()).as(run.toString()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(run.err()).contains("nowhere.dlt");
  }

  private CommandRun redrive(String... filter) {
    List<String> arguments = new ArrayList<>(List.of("dlt", "redrive", source));
    arguments.addAll(Arrays.asList(filter));
    arguments.addAll(List.of("--yes", "--reason", "mended", "--json"));
    return run(arguments.toArray(String[]::new));
  }

  private List<String> ids(String verb, String... filter) {
    List<String> arguments = new ArrayList<>(List.of("dlt", verb, source, "--json"));
    arguments.addAll(Arrays.asList(filter));
    return run(arguments.toArray(String[]::new)).jsonTexts("eventId");
  }

  private CommandRun run(String... arguments) {
    return CommandRun.on(config, Map.of(), arguments);
  }

  private static void sql(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<String> texts(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      while (result.next()) {
        List<@Nullable String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getString(i));
        }
        rows.add(String.join("|", row));
      }
      return rows;
    }
  }
}
