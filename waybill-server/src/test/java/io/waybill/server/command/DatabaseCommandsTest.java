package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.testkit.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Commands on a real PostgreSQL. */
@Tag("server")
class DatabaseCommandsTest {
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static PostgresServer server;

  @TempDir private Path folder;
  private Path config = Path.of("unset");
  private String database = "unset";

  @BeforeAll
  static void launch() {
    server = PostgresServer.launch(Map.of("fsync", "on"));
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @BeforeEach
  void create() throws SQLException {
    database = "commands_" + NUMBERS.incrementAndGet();
    server.createDatabase(database);
    config = CommandRun.write(folder, yaml("postgres"));
    assertThat(run("schema", "apply", "--lanes", "8").code()).isEqualTo(ExitCode.OK);
    for (int i = 1; i <= 4; i++) {
      sql(
          """
          insert into waybill_outbox
            (event_id, event_type, aggregate_type, aggregate_id, payload, created_at, headers)
          values ('e%d', '%s', 'order', '%d', '{"n":%d}', clock_timestamp() - interval '%d hours',
            '{"colour":"red"}')
          """
              .formatted(i, i == 4 ? "audited" : "placed", i, i, 5 - i));
    }
    state("e1", "PARKED");
    state("e2", "DEAD");
  }

  @Test
  void schemaApplyIsRepeatableAndCheckedByCheck() throws SQLException {
    assertThat(run("schema", "apply").out()).contains("up to date");
    CommandRun fine = run("schema", "check");
    assertThat(fine.code()).as(fine.toString()).isEqualTo(ExitCode.OK);
    assertThat(fine.out()).isEqualTo("The tables are as they should be.\n");

    sql("drop index waybill_outbox_xid_idx");
    CommandRun broken = run("schema", "check", "--json");
    assertThat(broken.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(broken.json()).hasSize(1);
    assertThat(broken.out()).contains("waybill_outbox_xid_idx").contains("create index");
  }

  @Test
  void anOutboxIsEmptiedAfterADryRunWithAReason() throws SQLException {
    assertThat(run("schema", "empty").out()).contains("Would remove 4 event(s)");
    assertThat(run("schema", "empty", "--yes").code()).isEqualTo(ExitCode.USAGE);
    assertThat(run("events", "list", "--json").json()).hasSize(4);

    CommandRun done = run("schema", "empty", "--yes", "--reason", "stage reset", "--json");

    assertThat(done.code()).as(done.toString()).isEqualTo(ExitCode.OK);
    assertThat(done.json().get("events").asInt()).isEqualTo(4);
    assertThat(run("events", "list", "--json").json()).isEmpty();
    assertThat(run("audit").out()).contains("EMPTY").contains("stage reset");
  }

  @Test
  void theTablesOfAnInboxAreAppliedAndChecked() throws SQLException {
    assertThat(run("schema", "check", "--inbox").out()).contains("waybill schema apply --inbox");
    assertThat(run("schema", "apply", "--inbox").out()).contains("Applied 2 script(s)");
    assertThat(run("schema", "apply", "--inbox").out()).contains("up to date");
    CommandRun fine = run("schema", "check", "--inbox");
    assertThat(fine.code()).as(fine.toString()).isEqualTo(ExitCode.OK);
    assertThat(run("schema", "check").code()).isEqualTo(ExitCode.OK);

    sql("drop table processed_events");
    CommandRun broken = run("schema", "check", "--inbox", "--json");
    assertThat(broken.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(broken.out()).contains("table processed_events");
    assertThat(run("schema", "check", "--inbox", "--processed-table", "seen").out())
        .isEqualTo("The tables are as they should be.\n");
    assertThat(run("schema", "apply", "--inbox", "--processed-table", "seen").out())
        .contains("up to date");
  }

  @Test
  void whatSchemaPrintPrintsCreatesTheTables() throws SQLException {
    sql("drop schema public cascade; create schema public");
    sql(run("schema", "print", "--lanes", "8").out());

    assertThat(run("schema", "check").code()).isEqualTo(ExitCode.OK);
  }

  @Test
  void doctorFindsWhatForbidsTheStart() throws SQLException {
    CommandRun fine = run("doctor");
    assertThat(fine.code()).as(fine.toString()).isEqualTo(ExitCode.OK);

    sql("drop table waybill_request");
    CommandRun broken = run("doctor", "--json");
    assertThat(broken.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(broken.jsonTexts("severity")).contains("REFUSE");
    assertThat(broken.out()).contains("waybill_request");
    assertThat(run("doctor").out()).contains("REFUSE").contains("waybill_request");
  }

  @Test
  void statusShowsBacklogFailuresRelaysAndLanes() throws SQLException {
    sql("insert into waybill_destination values ('orders', true, 'broken', 'me')");
    JsonNode status = run("status", "--json").json().get(0);

    assertThat(status.get("outbox").asString()).isEqualTo("orders");
    assertThat(status.get("parked").asInt()).isEqualTo(1);
    assertThat(status.get("dead").asInt()).isEqualTo(1);
    assertThat(status.get("lanes").asInt()).isEqualTo(8);
    assertThat(status.get("freeLanes").asInt()).isEqualTo(8);
    assertThat(status.get("oldestUnpublishedSeconds").asDouble()).isBetween(3600.0, 4 * 3600.0);
    assertThat(status.get("pausedDestinations").get(0).asString()).isEqualTo("orders");
    assertThat(status.has("waiting")).isFalse();
    assertThat(run("status", "--json", "--count").json().get(0).get("waiting").asInt())
        .isEqualTo(2);
    assertThat(run("status", "-o", "orders").out()).contains("oldestUnpublishedSeconds");
  }

  @Test
  void eventsListFiltersByEveryCondition() {
    assertThat(ids("events", "list")).containsExactly("e1", "e2", "e3", "e4");
    assertThat(ids("events", "list", "e2", "e3")).containsExactly("e2", "e3");
    assertThat(ids("events", "list", "--state", "parked")).containsExactly("e1");
    assertThat(ids("events", "list", "--state", "PENDING")).containsExactly("e3", "e4");
    assertThat(ids("events", "list", "--type", "audited")).containsExactly("e4");
    assertThat(ids("events", "list", "--key", "order/3")).containsExactly("e3");
    assertThat(ids("events", "list", "--destination", "audit")).containsExactly("e4");
    assertThat(ids("events", "list", "--destination", "orders-red"))
        .containsExactly("e1", "e2", "e3");
    assertThat(ids("events", "list", "--older-than", "150m")).containsExactly("e1", "e2");
    assertThat(ids("events", "list", "--limit", "2")).containsExactly("e1", "e2");
    assertThat(ids("events", "list", "--type", "audited", "--key", "order/3")).isEmpty();
    assertThat(run("events", "list", "--type", "nothing").out()).isEqualTo("No event matches.\n");
    assertThat(run("events", "list").out()).contains("eventId").contains("e4");
  }

  @Test
  void eventsShowShowsEverythingAndThePayloadOnRequest() {
    JsonNode plain = run("events", "show", "e1", "--json").json();
    assertThat(plain.get("state").asString()).isEqualTo("PARKED");
    assertThat(plain.get("reason").asString()).isEqualTo("refused");
    assertThat(plain.has("payload")).isFalse();
    assertThat(run("events", "show", "e1").out()).contains("order/1").doesNotContain("\"n\"");
    assertThat(run("events", "show", "e1", "--payload").out()).contains("{\"n\":1}");

    CommandRun missing = run("events", "show", "e9");
    assertThat(missing.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(missing.err()).contains("There is no event 'e9'");
  }

  @Test
  void foreignTextCannotDriveTheTerminal() throws SQLException {
    sql("update waybill_row_state set last_reason = e'\\x1b[2J\\nforged' where state = 'DEAD'");

    assertThat(run("events", "list").out()).contains("\\u001b[2J forged").doesNotContain("\u001b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"retry", "skip", "park", "bury", "replay"})
  void everyChangingVerbIsDryFirstAndAskedForWithReasonAndUser(String verb) throws SQLException {
    CommandRun dry = run("events", verb, "--state", "parked");
    assertThat(dry.code()).isEqualTo(ExitCode.OK);
    assertThat(dry.out())
        .contains("Would " + verb + " 1 event(s)")
        .contains("e1")
        .contains("Nothing was changed");
    assertThat(run("events", verb, "e1", "--json").json().get("matched").asInt()).isEqualTo(1);
    assertThat(count("waybill_request")).isZero();

    CommandRun silent = run("events", verb, "e1", "--yes");
    assertThat(silent.code()).isEqualTo(ExitCode.USAGE);
    assertThat(silent.err()).contains("--reason");
    assertThat(count("waybill_audit")).isZero();

    CommandRun done = run("events", verb, "e1", "--yes", "--reason", "ticket 7", "--json");
    assertThat(done.code()).as(done.toString()).isEqualTo(ExitCode.OK);
    assertThat(done.json().get("requested").asInt()).isEqualTo(1);
    assertThat(text("select verb || ' ' || reason from waybill_request"))
        .isEqualToIgnoringCase(verb + " ticket 7");
    assertThat(text("select requested_by || ' ' || event_id || ' ' || reason from waybill_audit"))
        .isEqualTo("operator e1 ticket 7");
  }

  @Test
  void aChangeByFilterIsBoundedByItsLimit() throws SQLException {
    CommandRun run =
        run("events", "skip", "--key", "order/3", "--limit", "1", "--yes", "--reason", "x");

    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).contains("1 event(s) matched, 1 request(s) made");
    assertThat(text("select event_id from waybill_audit")).isEqualTo("e3");
  }

  @Test
  void noCommandCutsAListOrASelectionSilently() throws SQLException {
    sql(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        select 'm' || n, 'many', 'many', n::text, '{}' from generate_series(1, 1200) n
        """);
    CommandRun list = run("events", "list", "--type", "many");
    assertThat(list.out()).contains("100 events are shown of 1200 that match");
    assertThat(run("events", "list", "--type", "audited").out()).doesNotContain("are shown");
    assertThat(run("events", "list", "--type", "many", "--json").err()).contains("1200");

    CommandRun dry = run("events", "skip", "--type", "many");
    assertThat(dry.out()).contains("Would skip 1200 event(s)").contains("and 1190 more");
    String[] skip = {"events", "skip", "--type", "many", "--yes", "--reason", "x"};
    CommandRun some = run(with(skip, "--limit", "700"));
    assertThat(some.out()).contains("700 event(s) matched, 700 request(s)").contains("More events");
    CommandRun all = run(skip);
    assertThat(all.code()).isEqualTo(ExitCode.OK);
    assertThat(all.out())
        .contains("1200 event(s) matched, 500 request(s) made. 700 of them wait for the same");
    assertThat(count("waybill_request")).isEqualTo(1200);
  }

  @Test
  void eventsAreChosenByReasonAndAgeAndListedFromTheEnd() {
    assertThat(ids("events", "list", "--error", "refused")).containsExactly("e1", "e2");
    assertThat(ids("events", "list", "--error", "other")).isEmpty();
    assertThat(ids("events", "list", "--newer-than", "150m")).containsExactly("e3", "e4");
    assertThat(ids("events", "list", "--newest-first")).containsExactly("e4", "e3", "e2", "e1");
    CommandRun latest = run("events", "list", "--newest-first", "--limit", "1");
    assertThat(latest.out()).contains("e4", "1 events are shown of 4").doesNotContain("e1");
  }

  @Test
  void aDryRunOfARetrySaysThatDeadEventsBlockTheirKeysAnew() {
    assertThat(run("events", "retry", "--state", "dead").out())
        .contains("Dead among them: 1", "the key waits again");
    assertThat(run("events", "retry", "--state", "parked").out()).doesNotContain("Dead among them");
  }

  @Test
  void deadEventsAreRemovedAfterADryRunWithAReason() throws SQLException {
    assertThat(run("events", "purge", "--older-than", "1h").out())
        .contains("Would remove 1 dead event(s).", "e2", "Nothing was changed");
    assertThat(run("events", "purge", "--state", "parked").code()).isEqualTo(ExitCode.USAGE);
    assertThat(run("events", "purge").code()).isEqualTo(ExitCode.USAGE);
    assertThat(run("events", "purge", "--state", "dead", "--yes").code()).isEqualTo(ExitCode.USAGE);
    assertThat(ids("events", "list")).hasSize(4);

    CommandRun done =
        run("events", "purge", "--state", "dead", "--yes", "--reason", "month", "--json");
    assertThat(done.code()).as(done.toString()).isEqualTo(ExitCode.OK);
    assertThat(done.json().get("removed").asInt()).isEqualTo(1);
    assertThat(ids("events", "list")).containsExactly("e1", "e3", "e4");
    assertThat(text("select verb || ' ' || event_id || ' ' || reason from waybill_audit"))
        .isEqualTo("PURGE e2 month");
    assertThat(run("events", "purge", "--state", "dead", "--yes", "--reason", "x").code())
        .isEqualTo(ExitCode.FINDINGS);
  }

  @Test
  void waitSaysThatNoRelayRunsAndWhatWaitsAlready() {
    String[] skip = {"events", "skip", "e1", "--yes", "--reason", "w", "--wait", "200ms"};
    CommandRun first = run(skip);
    assertThat(first.err()).contains("No relay runs for this outbox");
    assertThat(first.out())
        .contains("0 done, 0 refused, 1 unanswered so far")
        .doesNotContain("none");

    CommandRun again = run(skip);
    assertThat(again.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(again.out()).contains("0 request(s) made. 1 of them wait for the same already");
    JsonNode json = run(with(skip, "--json")).json();
    assertThat(json.get("requestedBefore").asInt()).isEqualTo(1);
    assertThat(json.get("unanswered").asInt()).isEqualTo(1);
    assertThat(json.get("relayRuns").asBoolean()).isFalse();
  }

  @Test
  void aRetryThatIsRefusedAgainIsNotDone() throws SQLException {
    CompletableFuture<CommandRun> waiting =
        CompletableFuture.supplyAsync(
            () -> run("events", "retry", "e1", "e3", "--yes", "--reason", "w", "--wait", "60s"));
    Awaitility.await().until(() -> count("waybill_audit") == 2);
    // The relay tries both: one is refused again, the other is published and deleted.
    sql("delete from waybill_outbox where event_id = 'e3'");
    answer("e1", true, "tried now");
    answer("e3", true, "tried now");

    CommandRun run = waiting.join();
    assertThat(run.code()).as(run.toString()).isEqualTo(ExitCode.FINDINGS);
    assertThat(run.out())
        .contains("2 done, 0 refused.")
        .contains("1 are published, 1 were refused again, 0 wait")
        .contains("refused again: e1: refused, too large");
  }

  @Test
  void showSaysWhatWasSaidInFullWhereItGoesAndWhyItWaits() throws SQLException {
    String said = "a sentence of the broker ".repeat(12) + "with its end";
    sql("update waybill_row_state set last_detail = '" + said + "\nand a line' where attempts > 0");
    sql(
        "insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)"
            + " values ('e5', 'placed', 'order', '1', '{}')");
    sql(
        "insert into waybill_held (row_id, row_created, lane, aggregate_type, aggregate_id)"
            + " select id, (extract(epoch from created_at) * 1000000)::bigint, lane, aggregate_type,"
            + " aggregate_id from waybill_outbox where event_id = 'e5'");

    CommandRun parked = run("events", "show", "e1");
    assertThat(parked.out())
        .contains(said + " and a line")
        .containsPattern("destination +orders-red")
        .containsPattern("failedAt +20")
        .contains("for an operator: retry, skip or bury it");
    JsonNode json = run("events", "show", "e1", "--json").json();
    assertThat(json.get("headers").get("colour").asString()).isEqualTo("red");
    assertThat(run("events", "show", "e5").out())
        .contains("behind event e1 of its key, which is parked (refused)");
    assertThat(run("events", "show", "e3").out()).contains("no relay runs for this outbox");
  }

  @Test
  void errorsAreJsonWhereJsonWasAskedFor() throws SQLException {
    CommandRun missing = run("events", "show", "e9", "--json");
    assertThat(missing.json().get("error").asString()).contains("There is no event 'e9'");
    assertThat(missing.json().get("exitCode").asInt()).isEqualTo(missing.code());
    assertThat(missing.err()).contains("There is no event 'e9'");
    sql("drop table waybill_row_state cascade");
    assertThat(run("status", "--json").json().get("error").asString()).contains("schema apply");
  }

  @Test
  void aChangeOfNothingIsAFinding() {
    assertThat(run("events", "retry", "e9").code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(run("events", "retry", "e9", "--yes", "--reason", "x").code())
        .isEqualTo(ExitCode.FINDINGS);
  }

  @Test
  void waitReportsWhatTheRelayMadeOfTheRequests() {
    CompletableFuture<CommandRun> waiting =
        CompletableFuture.supplyAsync(
            () -> run("events", "retry", "e1", "e2", "--yes", "--reason", "w", "--wait", "60s"));
    Awaitility.await().until(() -> count("waybill_audit") == 2);
    answer("e1", true, "retried");
    assertThat(waiting).isNotDone();
    answer("e2", false, "is gone");

    CommandRun run = waiting.join();
    assertThat(run.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(run.out()).contains("1 done, 1 refused").contains("e2: is gone");
  }

  @Test
  void waitGivesUpWhenNoRelayAnswers() {
    CommandRun run =
        run("events", "retry", "e1", "--yes", "--reason", "w", "--wait", "200ms", "--json");

    assertThat(run.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(run.json().get("done").asInt()).isZero();
  }

  @Test
  void destinationsArePausedAndResumedWithReasonAndUser() throws SQLException {
    assertThat(run("destinations", "list", "--json").jsonTexts("destination"))
        .containsExactly("audit", "orders-{header.colour}");
    assertThat(run("destinations", "pause", "orders-red").out())
        .contains("Would pause orders-red, which is not paused. Nothing was changed");
    assertThat(count("waybill_destination")).isZero();
    assertThat(run("destinations", "pause", "orders-red", "--yes").code())
        .isEqualTo(ExitCode.USAGE);

    CommandRun pause =
        run("destinations", "pause", "orders-red", "--yes", "--reason", "full", "--json");
    assertThat(pause.code()).isEqualTo(ExitCode.OK);
    assertThat(pause.json().get("paused").asBoolean()).isTrue();
    JsonNode listed = run("destinations", "list", "--json").json().get(0);
    assertThat(listed.get("destination").asString()).isEqualTo("orders-red");
    assertThat(listed.get("paused").asBoolean()).isTrue();
    assertThat(listed.get("by").asString()).isEqualTo("operator");

    CommandRun again =
        run("destinations", "pause", "orders-red", "--yes", "--reason", "still full");
    assertThat(again.out()).isEqualTo("orders-red is paused already.\n");
    assertThat(run("destinations", "list", "--json").json().get(0).get("reason").asString())
        .isEqualTo("full");
    assertThat(run("destinations", "resume", "orders-red", "--yes", "--reason", "room").code())
        .isEqualTo(ExitCode.OK);
    assertThat(run("destinations", "list", "--json").json().get(0).get("paused").asBoolean())
        .isFalse();
    assertThat(text("select string_agg(reason, ' ' order by id) from waybill_audit"))
        .isEqualTo("full still full room");
  }

  @Test
  void aDestinationThatNoRouteNamesIsNotPaused() throws SQLException {
    CommandRun typo = run("destinations", "pause", "audti", "--yes", "--reason", "full");

    assertThat(typo.code()).isEqualTo(ExitCode.USAGE);
    assertThat(typo.err())
        .contains("No route leads to 'audti'; did you mean 'audit'")
        .contains("orders-{header.colour}");
    assertThat(count("waybill_audit")).isZero();
    assertThat(run("destinations", "pause", "orders").code()).isEqualTo(ExitCode.USAGE);

    // What was paused under an older configuration can be resumed.
    sql("insert into waybill_destination values ('gone', true, 'broken', 'me')");
    assertThat(run("destinations", "resume", "gone", "--yes", "--reason", "x").code())
        .isEqualTo(ExitCode.OK);
  }

  @Test
  void theAuditListsWhoAskedForWhatAndWhatWasSaidBefore() throws SQLException {
    assertThat(run("audit").out()).isEqualTo("Nobody has asked for anything.\n");
    run("destinations", "pause", "audit", "--yes", "--reason", "full");
    run("destinations", "resume", "audit", "--yes", "--reason", "room");

    JsonNode latest = run("audit", "--json").json().get(0);
    assertThat(latest.get("verb").asString()).isEqualTo("RESUME");
    assertThat(latest.get("claimedBy").asString()).isEqualTo("operator");
    assertThat(latest.get("databaseUser").asString()).isEqualTo(text("select session_user"));
    assertThat(latest.get("reason").asString()).isEqualTo("room");
    assertThat(latest.get("earlierReason").asString()).isEqualTo("full");
    assertThat(latest.get("outcome").asString()).isEqualTo("done");
    String id = latest.get("id").asString();
    assertThat(run("audit", "--json", "--before", id, "--limit", "5").jsonTexts("verb"))
        .containsExactly("PAUSE");
    assertThat(run("audit", "--limit", "0").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aMissingTableIsAFindingThatNamesIt() throws SQLException {
    sql("drop table waybill_row_state cascade");

    CommandRun run = run("events", "list");
    assertThat(run.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(run.err()).contains("waybill_row_state");
  }

  private CommandRun run(String... arguments) {
    return CommandRun.on(config, Map.of(), arguments);
  }

  private static String[] with(String[] arguments, String... more) {
    return Stream.concat(Arrays.stream(arguments), Arrays.stream(more)).toArray(String[]::new);
  }

  private List<String> ids(String... arguments) {
    String[] all = Arrays.copyOf(arguments, arguments.length + 1);
    all[arguments.length] = "--json";
    return run(all).jsonTexts("eventId");
  }

  private String yaml(String user) {
    return """
    outboxes:
      orders:
        database:
          url: jdbc:postgresql://127.0.0.1:%d/%s
          user: %s
        kafka:
          bootstrap-servers: [127.0.0.1:9]
        routes:
          default:
            target: orders-{header.colour}
          types:
            audited:
              target: audit
    """
        .formatted(server.port(), database, user);
  }

  private void state(String event, String state) throws SQLException {
    sql(
        """
        insert into waybill_row_state (row_id, row_created, lane, aggregate_type, aggregate_id,
          state, attempts, unknown_outcome, last_reason, last_detail)
        select id, (extract(epoch from created_at) * 1000000)::bigint, lane, aggregate_type, aggregate_id, '%s', 10, false, 'refused', 'too large'
        from waybill_outbox where event_id = '%s'
        """
            .formatted(state, event));
  }

  private void answer(String event, boolean done, String note) {
    try {
      sql(
          """
          update waybill_audit set completed_at = clock_timestamp(), done = %s, note = '%s'
          where event_id = '%s'
          """
              .formatted(done, note, event));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private int count(String table) throws SQLException {
    return Integer.parseInt(text("select count(*) from " + table));
  }

  private String text(String sql) throws SQLException {
    try (Connection connection = server.dataSource(database).getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return result.next() ? String.valueOf(result.getString(1)) : "";
    }
  }

  private void sql(String sql) throws SQLException {
    try (Connection connection = server.dataSource(database).getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
