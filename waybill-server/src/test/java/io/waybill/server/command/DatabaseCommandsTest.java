package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Commands on a real PostgreSQL. */
class DatabaseCommandsTest extends CommandsOnPostgres {
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(30));

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
  void statusShowsFromWhomLanesWereTakenAndWhy() throws SQLException {
    sql(
        """
        update waybill_lane set taken_from = case when lane < 3 then 'r2' else 'r3' end,
          taken_because = case when lane < 3 then 'SESSION_ENDED' else 'LEASE_ENDED' end,
          taken_at = timestamptz '2026-01-01 00:00:00Z' - lane / 3 * interval '1 minute'
        where lane < 4""");
    JsonNode taken = run("status", "--json").json().get(0).get("takeOvers");

    assertThat(taken).hasSize(2);
    assertThat(taken.get(0).get("from").asString()).isEqualTo("r2");
    assertThat(taken.get(0).get("lanes").asInt()).isEqualTo(3);
    assertThat(taken.get(0).get("cause").asString()).isEqualTo("SESSION_ENDED");
    assertThat(taken.get(0).get("at").asString()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(taken.get(1).get("cause").asString()).isEqualTo("LEASE_ENDED");
    assertThat(run("status").out()).contains("3 lane(s) of r2 at ", "1 lane(s) of r3 at ");
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
  void eventsAreCountedByEveryFilter() {
    assertThat(run("events", "count").out()).isEqualTo("4\n");
    assertThat(run("events", "count", "--state", "parked", "--json").json().get("count").asInt())
        .isEqualTo(1);
    assertThat(run("events", "count", "--destination", "orders-red").out()).isEqualTo("3\n");
  }

  @Test
  void statusIsWatchedUntilItIsInterrupted() throws Exception {
    AtomicReference<CommandRun> run = new AtomicReference<>();
    Thread watching =
        new Thread(() -> run.set(run("status", "--watch=100ms", "--json")), "watching");
    watching.start();
    await()
        .atMost(LIMIT)
        .until(
            () ->
                Arrays.stream(watching.getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals("pause")));
    watching.interrupt();
    watching.join(LIMIT.toMillis());

    CommandRun watched = Objects.requireNonNull(run.get());
    assertThat(watched.out().lines().findFirst().orElse("")).startsWith("[{\"outbox\"");
    assertThat(watched.err()).contains("Interrupted");
  }

  @Test
  void blockedKeysAreListedWithWhatBlocksThem() {
    JsonNode keys = run("keys", "blocked", "--json").json();
    assertThat(keys).hasSize(1);
    assertThat(keys.get(0).get("eventId").asString()).isEqualTo("e1");
    assertThat(keys.get(0).get("state").asString()).isEqualTo("PARKED");
    assertThat(keys.get(0).get("reason").asString()).isEqualTo("refused");
    String position = keys.get(0).get("position").asString();
    assertThat(run("keys", "blocked", "--after", position).out()).isEqualTo("No key is blocked.\n");
    assertThat(run("keys", "blocked", "--limit", "1").out()).contains("--after " + position);
    assertThat(run("keys", "blocked", "--limit", "0").code()).isEqualTo(ExitCode.USAGE);
    assertThat(run("keys", "blocked", "--after", "here").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void relaysAreListedWithTheirLanes() throws SQLException {
    assertThat(run("relays").out()).isEqualTo("No relay runs.\n");
    sql(
        "insert into waybill_session (relay, lease_until) values ('r1', now() + interval '1 hour')");
    sql("update waybill_lane set fence = (select fence from waybill_session) where lane <> 2");

    JsonNode relay = run("relays", "--json").json().get(0);

    assertThat(relay.get("relay").asString()).isEqualTo("r1");
    assertThat(relay.get("lanes").asInt()).isEqualTo(7);
    assertThat(relay.get("owned").get(0).asString()).isEqualTo("0-1");
    assertThat(relay.get("owned").get(1).asString()).isEqualTo("3-7");
    assertThat(relay.get("leaseSeconds").asDouble()).isBetween(3000.0, 3600.0);
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
    assertThat(again.out())
        .startsWith("orders-red is paused already.\noperator said so at ")
        .contains(": full. That reason stays; yours is in the audit.");
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
    assertThat(run("audit").out()).isEqualTo("No requests have been made.\n");
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
}
