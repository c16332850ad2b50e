package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.terminal.ExitCode;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What changes events: dry run, requests, what became of them. */
@Tag("long")
class EventChangeCommandsTest extends CommandsOnPostgres {
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
        .contains(
            "1200 event(s) matched, 500 request(s) made. 700 of them already have such a request");
    assertThat(count("waybill_request")).isEqualTo(1200);
  }

  @Test
  void aDryRunOfARetrySaysThatDeadEventsBlockTheirKeysAnew() {
    assertThat(run("events", "retry", "--state", "dead").out())
        .contains("Blocks 1 key(s): order/2. They have continued", "waits again");
    assertThat(run("events", "retry", "--state", "parked").out()).doesNotContain("Blocks");
    JsonNode park = run("events", "park", "--state", "pending", "--json").json();
    assertThat(park.get("blockedKeys").valueStream().map(JsonNode::asString))
        .containsExactly("order/3", "order/4");
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
    assertThat(again.out()).contains("0 request(s) made. 1 of them already have such a request");
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
    sql("update waybill_row_state set changed_at = clock_timestamp()");

    CommandRun run = waiting.join();
    assertThat(run.code()).as(run.toString()).isEqualTo(ExitCode.FINDINGS);
    assertThat(run.out())
        .contains("2 done, 0 refused.")
        .contains("1 are published, 1 were refused again, 0 wait")
        .contains("refused again: e1: refused, too large");
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
  void aRetryThatWaitsForSomethingElseIsToldAndNoFailure() {
    CompletableFuture<CommandRun> waiting =
        CompletableFuture.supplyAsync(
            () -> run("events", "retry", "e3", "--yes", "--reason", "w", "--wait", "60s"));
    Awaitility.await().until(() -> count("waybill_audit") == 1);
    answer("e3", true, "tried now");

    CommandRun run = waiting.join();
    assertThat(run.code()).as(run.toString()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).contains("0 are published, 0 were refused again, 1 wait");
  }
}
