package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A parked event is buried, and a corrected one appended; the test does what a relay would do. */
@Tag("long")
class CorrectCommandTest extends CommandsOnPostgres {
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(60));
  private static final String[] SURE = {"--yes", "--reason", "ticket 7"};

  @TempDir private Path home;
  private Path payload = Path.of("unset");

  @BeforeEach
  void write() throws Exception {
    payload = Files.writeString(home.resolve("right.json"), "{\"n\":42}");
  }

  private String[] correct(String event, String... more) {
    return with(
        new String[] {"events", "correct", event, "--payload-file", payload.toString()}, more);
  }

  /** Until the command has ended, a relay buries the event. */
  private CommandRun buried(Path config, String event, String... more) throws Exception {
    CompletableFuture<CommandRun> running =
        CompletableFuture.supplyAsync(
            () -> CommandRun.on(config, Map.of(), correct(event, with(SURE, more))));
    await().atMost(LIMIT).until(() -> bury(event) || running.isDone());
    return running.get();
  }

  @Test
  void aDryRunSaysWhatWouldBeBuriedAndHowManyWaitBehindIt() throws Exception {
    sql(
        """
        insert into waybill_held (row_id, row_created, lane, aggregate_type, aggregate_id)
        select id, (extract(epoch from created_at) * 1000000)::bigint, lane, 'order', '1'
        from waybill_outbox where event_id = 'e3'""");
    CommandRun text = run(correct("e1"));
    assertThat(text.code()).as(text.toString()).isEqualTo(ExitCode.OK);
    assertThat(text.out())
        .contains("Would bury e1 (placed, PARKED, key order/1)")
        .contains("1 event(s) of its key wait behind it")
        .contains("Nothing was changed")
        .doesNotContain("42");
    JsonNode json = run(correct("e1", "--json")).json();
    assertThat(json.get("dryRun").asBoolean()).isTrue();
    assertThat(json.get("behind").asInt()).isEqualTo(1);
    assertThat(count("waybill_outbox")).isEqualTo(4);
    assertThat(count("waybill_audit") + count("waybill_job")).isZero();
  }

  @Test
  void theCorrectedEventIsAppendedOnceTheOtherIsBuried() throws Exception {
    CommandRun run = buried(config(), "e1", "--type", "corrected", "--header", "size=2", "--json");
    assertThat(run.code()).as(run.toString()).isEqualTo(ExitCode.OK);
    assertThat(run.json().get("state").asString()).isEqualTo("DONE");
    String id = run.json().get("correctedBy").asString();
    assertThat(
            text(
                """
                select concat_ws(' ', event_type, aggregate_type, aggregate_id, convert_from(payload, 'UTF8'), headers)
                from waybill_outbox where event_id = '%s'"""
                    .formatted(id)))
        .isEqualTo("corrected order 1 {\"n\":42} {\"colour\":\"red\",\"size\":\"2\"}");
    assertThat(
            text(
                """
                select string_agg(concat_ws(' ', verb, event_id, requested_by, reason, note), ', ' order by id)
                from waybill_audit"""))
        .isEqualTo(
            "BURY e1 operator to be corrected: ticket 7 buried, CORRECT e1 operator ticket 7 ${id},"
                    .replace("${id}", id)
                + " APPEND ${id} operator ticket 7 for e1".replace("${id}", id));

    CommandRun again = run(correct("e1", SURE));
    assertThat(again.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(again.err()).contains("has been corrected by '" + id);
    assertThat(count("waybill_outbox")).isEqualTo(5);
  }

  /** As after a command that was killed when the event was buried. */
  @Test
  void aDeadEventIsCorrectedToo() throws Exception {
    CommandRun run = buried(config(), "e2");
    assertThat(run.code()).as(run.toString()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).contains("Buried e2 and appended ");
  }

  @Test
  void whatCannotBeCorrectedIsRefused() throws Exception {
    assertThat(run(correct("e3")).err()).contains("is PENDING, but must be PARKED or DEAD");
    assertThat(run(correct("none")).err()).contains("There is no event 'none'");
    CommandRun nothing = run("events", "correct", "e1");
    assertThat(nothing.code()).isEqualTo(ExitCode.USAGE);
    assertThat(nothing.err()).contains("--payload-file", "--header");
    assertThat(run("events", "correct", "e1", "--payload-file", "none.json").err())
        .contains("Cannot read --payload-file none.json");
    assertThat(run("events", "correct", "e1", "--content-type", "text/plain").out())
        .contains("Would bury e1");
    assertThat(run("events", "correct", "e1", "--type", "").err())
        .contains("must be one that table", "waybill_outbox_event_type_check");
    assertThat(run(correct("e1", "--yes")).err()).contains("--reason");
    assertThat(count("waybill_job")).isZero();
  }

  @Test
  void theRightToAppendIsGrantedApart() throws Exception {
    List<String> roles =
        List.of("correct_writer", "correct_relay", "correct_operator", "correct_reader");
    for (String role : roles) {
      sql("drop role if exists " + role + "; create role " + role + " login");
    }
    sql(run("schema", "print", "--grants", String.join(",", roles)).out());
    Path asOperator = CommandRun.write(home, yaml("correct_operator"));
    CommandRun refused = CommandRun.on(asOperator, Map.of(), correct("e1", SURE));
    assertThat(refused.code()).as(refused.toString()).isEqualTo(ExitCode.FINDINGS);
    assertThat(refused.err()).contains("SELECT and INSERT of", "--correction-grant ROLE");
    assertThat(count("waybill_audit") + count("waybill_job")).isZero();

    sql(run("schema", "print", "--correction-grant", "correct_operator").out());
    CommandRun done = buried(asOperator, "e1");
    assertThat(done.code()).as(done.toString()).isEqualTo(ExitCode.OK);
    for (String role : roles) {
      sql("drop owned by " + role + "; drop role " + role);
    }
  }
}
