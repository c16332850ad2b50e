package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.server.terminal.ExitCode;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Groups of failures, and their retry. */
class FailuresCommandTest extends ParkedGroup {
  @Test
  void groupsAreListedWithCountTimesAndSample() throws SQLException {
    sql("update waybill_row_state set failure_group = 'f' where state = 'DEAD'");
    JsonNode groups = run("failures", "list", "--json").json();

    assertThat(groups).hasSize(2);
    JsonNode largest = groups.get(0);
    assertThat(largest.get("group").asString()).isEqualTo(GROUP);
    assertThat(largest.get("count").asInt()).isEqualTo(20);
    assertThat(largest.get("more").asBoolean()).isFalse();
    assertThat(largest.get("eventType").asString()).isEqualTo("placed");
    assertThat(largest.get("destination").asString()).isEqualTo("orders-red");
    assertThat(largest.get("reason").asString()).isEqualTo("refused");
    assertThat(largest.get("sample").asString()).isEqualTo("p10");
    assertThat(groups.get(1).get("state").asString()).isEqualTo("DEAD");
    assertThat(run("failures", "list", "--state", "dead").out()).contains("e2");
    assertThat(run("failures", "list", "--state", "pending").out()).isEqualTo("Nothing fails.\n");
    assertThat(run("failures", "list", "--limit", "1").out()).contains("The largest 1 of 2 groups");
    assertThat(run("failures", "list", "--state", "published").code()).isEqualTo(ExitCode.USAGE);
    assertThat(run("failures", "list", "--limit", "0").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void whatTakesNoEventsIsShownAsTheRelaysSay() throws SQLException {
    sql(
        """
        insert into waybill_session (relay, lease_until, renewed_at, failing) values
          ('relay-1', now() + interval '1 minute', '2026-01-01T00:01:00Z',
            '[["audit","kafka-topic-missing","no topic audit",60000]]'),
          ('gone', now() - interval '1 minute', '2026-01-01T00:01:00Z', '[["*","x","y",1]]')""");
    sql("update waybill_lane set fence = (select min(fence) from waybill_session)");

    JsonNode audit = run("destinations", "list", "--json").json().get(0);
    assertThat(audit.get("destination").asString()).isEqualTo("audit");
    assertThat(audit.get("failingSince").asString()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(audit.get("failure").asString()).isEqualTo("kafka-topic-missing");
    assertThat(audit.get("detail").asString()).isEqualTo("no topic audit");
    assertThat(run("status", "--json").json().get(0).get("failingDestinations"))
        .singleElement()
        .returns("audit", JsonNode::asString);
    assertThat(run("events", "show", "e4", "--json").json().get("waits").asString())
        .isEqualTo(
            "destination audit takes no events from relay relay-1 since 2026-01-01T00:00:00Z"
                + " (kafka-topic-missing: no topic audit)");
    assertThat(run("events", "show", "e3", "--json").json().get("waits").asString())
        .isEqualTo("for its turn at relay relay-1");
  }

  @Test
  void destinationsShowWhatTheyRefused() throws SQLException {
    sql(
        """
        update waybill_row_state set state = 'RETRY', next_attempt_at = now(), destination = 'audit',
          failure_group = 'a', last_reason = 'nack'
        where row_id in (select id from waybill_outbox where event_id in ('p20', 'p21'))""");
    JsonNode rows = run("destinations", "list", "--json").json();

    assertThat(rows).hasSize(3);
    JsonNode audit = rows.get(0);
    assertThat(audit.get("destination").asString()).isEqualTo("audit");
    assertThat(audit.get("failure").asString()).isEqualTo("nack");
    assertThat(audit.get("retrying").asInt()).isEqualTo(2);
    assertThat(audit.get("failedAt").isNull()).isFalse();
    JsonNode red = rows.get(1);
    assertThat(red.get("destination").asString()).isEqualTo("orders-red");
    assertThat(red.get("parked").asInt()).isEqualTo(18);
    assertThat(rows.get(2).get("destination").asString()).isEqualTo("orders-{header.colour}");
  }

  @Tag("long")
  @Test
  void destinationsCountThousandOfEachReason() throws SQLException {
    failMore(1_001, "'full'", "'f'");
    failMore(1, "'too large'", "'t'");
    JsonNode stock = run("destinations", "list", "--json").json().get(1);

    assertThat(stock.get("destination").asString()).isEqualTo("stock");
    assertThat(stock.get("failure").asString()).isEqualTo("full");
    assertThat(stock.get("parked").asInt()).isEqualTo(1_001);
    assertThat(stock.get("moreParked").asBoolean()).isTrue();
    assertThat(stock.get("moreRetrying").asBoolean()).isFalse();
  }

  @Tag("long")
  @Test
  void destinationsSayThatThereMayBeMoreBeyondThousandGroups() throws SQLException {
    failMore(1_000, "'reason ' || n", "'g' || n");
    JsonNode rows = run("destinations", "list", "--json").json();

    assertThat(rows)
        .filteredOn(row -> row.get("parked").asInt() > 0)
        .isNotEmpty()
        .allMatch(row -> row.get("moreParked").asBoolean())
        .noneMatch(row -> row.get("moreRetrying").asBoolean());
  }

  private void failMore(int number, String reason, String group) throws SQLException {
    sql(
        """
        with added as (
          insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
          select replace(%1$s || n, ' ', '-'), 'moved', 'stock', %1$s || n, '{}' from generate_series(1, %3$d) n
          returning id, created_at, lane, aggregate_id, id n)
        insert into waybill_row_state (row_id, row_created, lane, aggregate_type, aggregate_id, state, attempts,
          unknown_outcome, last_reason, last_detail, destination, failure_group)
        select id, (extract(epoch from created_at) * 1000000)::bigint, lane, 'stock', aggregate_id, 'PARKED', 10,
          false, %1$s, '', 'stock', %2$s
        from added"""
            .formatted(reason, group, number));
  }

  @Test
  void eventsOfAGroupAreChosen() {
    assertThat(ids("events", "list", "--group", GROUP)).hasSize(20).startsWith("p10", "p11");
    assertThat(run("events", "count", "--group", GROUP).out()).isEqualTo("20\n");
    assertThat(run("events", "list", "--group", GROUP, "--state", "dead").code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(run("events", "list", "--group", "parked-1").err()).contains("--group");
  }

  @Test
  void aRetryIsDryFirstAndAsksForAReason() throws SQLException {
    CommandRun dry = run("failures", "retry", GROUP);
    assertThat(dry.code()).isEqualTo(ExitCode.OK);
    assertThat(dry.out())
        .contains("Would retry 20 event(s): first 5, then 200 a second.")
        .contains("Nothing was changed");
    assertThat(run("failures", "retry", GROUP, "--yes").err()).contains("--reason");
    CommandRun none = run("failures", "retry", "dead-" + DIGITS, "--yes", "--reason", "x");
    assertThat(none.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(none.err()).contains("No event is in the group dead-" + DIGITS);
    assertThat(count("waybill_audit")).isZero();
  }

  @ParameterizedTest
  @CsvSource({"--canary, 1001", "--canary, -1", "--rate, 0", "--stop-after, 0"})
  void numbersOutOfRangeAreRefusedByName(String option, String value) {
    CommandRun run = run("failures", "retry", GROUP, option, value);
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("must be from").contains(value);
  }

  @Test
  void theOthersFollowWhenTheCanaryWasPublished() throws Exception {
    Future<CommandRun> running = retry("--canary", "3", "--rate", "50");
    await().atMost(LIMIT).until(() -> count("waybill_audit") == 3);
    assertThat(requested()).containsExactly("p10", "p11", "p12");

    JsonNode result = answered(running, id -> false).json();

    assertThat(result.get("requested").asInt()).isEqualTo(20);
    assertThat(result.get("published").asInt()).isEqualTo(20);
    assertThat(result.get("stopped").isNull()).isTrue();
    assertThat(requested()).hasSize(20).isSorted();
  }

  @Test
  void nothingFollowsACanaryThatFails() throws Exception {
    CommandRun run = answered(retry("--canary", "2"), id -> true);

    assertThat(run.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(run.json().get("failed").asInt()).isEqualTo(2);
    assertThat(run.json().get("stopped").asString()).isEqualTo("no event of the canary succeeded");
    assertThat(requested()).containsExactly("p10", "p11");
  }

  @Test
  void itStopsWhenManyFailInARow() throws Exception {
    String[] options = {"--canary", "1", "--rate", "4", "--stop-after", "3"};
    CommandRun run = answered(retry(options), id -> !id.equals("p10"));

    assertThat(run.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(run.json().get("stopped").asString())
        .isEqualTo("3 events failed again without a success between: refused");
    assertThat(requested()).hasSizeLessThan(20);
  }

  @Test
  void itStopsWhenTheRelayRefuses() throws Exception {
    Future<CommandRun> running = retry("--canary", "2", "--stop-after", "2");
    await().atMost(LIMIT).until(() -> count("waybill_audit") == 2);
    answer("p10", false, "its key is blocked");
    answer("p11", false, "its key is blocked");

    CommandRun run = running.get();

    assertThat(run.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(run.json().get("refused").asInt()).isEqualTo(2);
    assertThat(run.json().get("stopped").asString()).contains("its key is blocked");
  }

  @Test
  void nothingIsAskedForWhileTheDestinationIsPaused() throws SQLException {
    assertThat(run("destinations", "pause", "orders-red", "--yes", "--reason", "full").code())
        .isEqualTo(ExitCode.OK);

    CommandRun run = run("failures", "retry", GROUP, "--yes", "--reason", "fixed");

    assertThat(run.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(run.err()).contains("orders-red is paused");
    assertThat(text("select count(*) from waybill_audit where verb = 'RETRY'")).isEqualTo("0");
  }

  @Test
  void anEventThatFailsAgainDoesNotStopIt() throws Exception {
    String[] options = {"--rate", "50", "--stop-after", "2"};
    CommandRun run = answered(retry(options), id -> id.equals("p12") || id.equals("p20"));

    assertThat(run.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(run.json().get("published").asInt()).isEqualTo(18);
    assertThat(run.json().get("failed").asInt()).isEqualTo(2);
    assertThat(run.json().get("stopped").isNull()).isTrue();
  }

  private Future<CommandRun> retry(String... options) {
    String[] retry = {"failures", "retry", GROUP, "--yes", "--reason", "fixed", "--json"};
    return CompletableFuture.supplyAsync(() -> run(with(retry, options)));
  }

  /** Whether it was declared nobody knows, and the audit says so. */
  @Tag("long")
  @Test
  void whatASilentBrokerLacksIsUnknown() throws SQLException {
    String[] declare =
        with(
            new String[] {"destinations", "declare", "audit", "orders-red", "--json"},
            "--yes",
            "--reason",
            "ticket 7");
    CommandRun run = run(declare);
    assertThat(run.code()).as(run.toString()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(run.json().get("failure").asString()).contains("127.0.0.1:9 does not answer");
    assertThat(run.json().get("parts")).as("the next is not tried").hasSize(1);
    assertThat(text("select verb || ' ' || destination || ' ' || done from waybill_audit"))
        .isEqualTo("DECLARE audit false");

    sql("alter table waybill_audit rename to elsewhere");
    assertThat(run(declare).json().get("failure").asString())
        .contains("does not answer", "the audit could not be written");
  }

  @Test
  void aNoteIsWrittenShownAndRemoved() {
    String group = run("failures", "list", "--json").json().get(0).get("group").asString();
    assertThat(run("failures", "note", group, "--text", "waits for \u001b[31m ticket 7").code())
        .isEqualTo(ExitCode.OK);
    JsonNode noted = run("failures", "list", "--json").json().get(0);
    assertThat(noted.get("note").asString()).isEqualTo("waits for \u001b[31m ticket 7");
    assertThat(noted.get("noteBy").asString()).isNotEmpty();
    assertThat(run("failures", "list").out()).contains("ticket 7").doesNotContain("\u001b");
    run("failures", "note", group, "--text", "another");
    assertThat(run("failures", "list").out()).contains("another").doesNotContain("ticket 7");
    assertThat(run("failures", "note", group).code()).isEqualTo(ExitCode.OK);
    assertThat(run("failures", "list", "--json").json().get(0).get("note").isNull()).isTrue();

    assertThat(run("failures", "note", group, "--text", " ").err())
        .contains("--text must have 1 to 500 characters");
    assertThat(run("failures", "note", "parked-" + "ab".repeat(16), "--text", "x").err())
        .contains("No event is in the group");
    assertThat(run("failures", "note", "x", "--text", "x").code()).isEqualTo(ExitCode.USAGE);
  }
}
