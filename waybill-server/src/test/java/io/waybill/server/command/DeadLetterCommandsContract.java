package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.internal.encode.DeadLetterForm;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.server.terminal.ExitCode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The commands about dead letters, on a real broker and a real PostgreSQL. */
abstract class DeadLetterCommandsContract extends BuriedEvents {
  @Test
  void listFiltersByEveryCondition() throws Exception {
    bury();
    assertThat(ids("list")).containsExactly("e1", "e2", "e3", "e4");
    assertThat(ids("list", "e2", "e4")).containsExactly("e2", "e4");
    assertThat(ids("list", "--type", "paid")).containsExactly("e3");
    assertThat(ids("list", "--key", "order/1")).containsExactly("e1", "e2");
    assertThat(ids("list", "--key", "2")).containsExactly("e3");
    assertThat(ids("list", "--consumer", "inventory")).containsExactly("e3");
    assertThat(ids("list", "--error", "paidException")).containsExactly("e3");
    assertThat(ids("list", "--error", "shop.paidException")).containsExactly("e3");
    assertThat(ids("list", "--error", "dException")).isEmpty();
    assertThat(ids("list", "--error", "permanent-failure")).hasSize(4);
    assertThat(ids("list", "--older-than", "90m")).containsExactly("e1");
    assertThat(ids("list", "--newer-than", "90m", "--type", "placed")).containsExactly("e2", "e4");
    assertThat(ids("list", "--limit", "2")).containsExactly("e1", "e2");
    assertThat(run("dead-letters", "list", source + ".dlt").out())
        .contains("payment", "permanent-failure", "shop.placedException: no");
    assertThat(ids("list")).as("a look changes nothing").containsExactly("e1", "e2", "e3", "e4");
  }

  @Test
  void showShowsTheWholeOriginal() throws Exception {
    bury();
    JsonNode shown = run("dead-letters", "show", source, "e1", "--payload", "--json").json();
    assertThat(shown.get("source").asString()).isEqualTo(source);
    assertThat(shown.get("payload").asString())
        .isEqualTo(new String(json("e1"), StandardCharsets.UTF_8));
    assertThat(shown.get("contentType").asString()).isEqualTo("application/vnd.shop");
    assertThat(shown.get("headers").toString()).contains("tenant: red").doesNotContain("dead-");
    assertThat(run("dead-letters", "show", source, "e1").out()).doesNotContain("1.50");
    assertThat(run("dead-letters", "show", source, "none").code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(run("dead-letters", "show", source).code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void redriveIsDryFirstAndKeepsOrderBytesAndHeaders() throws Exception {
    bury();
    CommandRun dry = run("dead-letters", "redrive", source, "--consumer", "payment");
    assertThat(dry.code()).as(dry.toString()).isEqualTo(ExitCode.OK);
    assertThat(dry.out()).contains("Would redrive 3", "Nothing was changed");
    assertThat(run("dead-letters", "redrive", source, "--consumer", "payment", "--yes").code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(run("dead-letters", "redrive", source, "--yes", "--reason", "all").err())
        .contains("which");
    assertThat(texts("select verb from waybill_audit")).isEmpty();
    assertThat(broker().count(source)).as("sent by a dry run, or without a reason").isZero();
    assertThat(ids("list")).hasSize(4);

    Instant begun = Instant.now();
    CommandRun done = redrive("--consumer", "payment");

    assertThat(done.code()).as(done.toString()).isEqualTo(ExitCode.OK);
    assertThat(done.json().get("redriven").asInt()).isEqualTo(3);
    assertThat(done.json().get("unclear").asInt()).as("no inbox is here").isEqualTo(3);
    JsonNode job = run("jobs", "list", "--json").json().get(0);
    assertThat(job.get("verb").asString()).isEqualTo("REDRIVE");
    assertThat(job.get("source").asString()).isEqualTo(source);
    assertThat(broker().count(source)).isEqualTo(3);
    List<DeadLetterBroker.Came> came = broker().come(source, 3);
    assertThat(came).extracting(DeadLetterBroker.Came::id).containsExactly("e1", "e2", "e4");
    assertThat(came)
        .as("a topic with short retention keeps it")
        .allMatch(each -> !each.at().isBefore(begun.truncatedTo(ChronoUnit.SECONDS)));
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
    assertThat(ids("list"))
        .isEqualTo(broker().keeps() ? List.of("e1", "e2", "e3", "e4") : List.of("e3"));
  }

  @Test
  void redriveSendsWhatEachFilterMeansAndNoMore() throws Exception {
    bury();
    assertThat(sent("e2", "none")).isEqualTo(1);
    assertThat(sent("--type", "paid", "--key", "order/2", "--consumer", "inventory")).isEqualTo(1);
    assertThat(sent("--older-than", "90m")).isEqualTo(1);
    assertThat(sent("--newer-than", "5m", "--error", "shop.placedException")).isEqualTo(1);
    assertThat(broker().come(source, 4))
        .extracting(DeadLetterBroker.Came::id)
        .containsExactly("e2", "e3", "e1", "e4");
  }

  private int sent(String... filter) {
    return redrive(filter).json().get("redriven").asInt();
  }

  /** A topic's order is that of its letters, a queue's that of the times at which they failed. */
  @Test
  void keysKeepTheirOrder() throws Exception {
    List<Integer> lying = new ArrayList<>(IntStream.range(10, 40).boxed().toList());
    Collections.shuffle(lying, new Random(5));
    for (int i : lying) {
      bury(PAYMENT, "e" + i, "placed", "k" + i % 3, json("e" + i), Duration.ofMinutes(60 - i));
    }
    assertThat(redrive("--type", "placed", "--rate", "1000").code()).isEqualTo(ExitCode.OK);
    List<DeadLetterBroker.Came> came = broker().come(source, 30);
    List<Integer> expected = broker().keeps() ? lying : lying.stream().sorted().toList();
    for (int key = 0; key < 3; key++) {
      int number = key;
      assertThat(came)
          .filteredOn(each -> ("k" + number).equals(each.headers().get("waybill-aggregate-id")))
          .extracting(DeadLetterBroker.Came::id)
          .containsExactlyElementsOf(
              expected.stream().filter(i -> i % 3 == number).map(i -> "e" + i).toList());
    }
  }

  @Test
  void whatWasRedrivenIsNotSentTwiceUnlessAskedFor() throws Exception {
    bury();
    assertThat(redrive("e1").code()).isEqualTo(ExitCode.OK);
    assertThat(redrive("e1").code()).isEqualTo(ExitCode.FINDINGS);
    CommandRun again = redrive("e1", "--again");
    assertThat(again.code()).isEqualTo(broker().keeps() ? ExitCode.OK : ExitCode.FINDINGS);
    List<DeadLetterBroker.Came> came = broker().come(source, broker().keeps() ? 2 : 1);
    assertThat(came).extracting(DeadLetterBroker.Came::id).containsOnly("e1");
    if (broker().keeps()) {
      assertThat(
              run("dead-letters", "list", source, "e1", "--json")
                  .json()
                  .get(0)
                  .get("redriven")
                  .asInt())
          .isEqualTo(1);
    }
  }

  @Test
  void aTopicThatWasMadeAnewHasNewLettersAtTheOldPlaces() throws Exception {
    bury();
    sql(
        "insert into waybill_audit (requested_by, verb, event_id, destination, reason,"
            + " completed_at, done, note) select 'kim', 'REDRIVE', id, '%1$s.dlt', 'before', now(),"
                .formatted(source)
            + " true, '%1$s.dlt-0@' || place from (values ('e1', 0), ('old', 1)) as v (id, place)"
                .formatted(source));
    JsonNode listed = run("dead-letters", "list", source, "--consumer", "payment", "--json").json();
    assertThat(listed.get(0).get("redriven").asInt()).isEqualTo(broker().keeps() ? 1 : 0);
    assertThat(listed.get(1).get("redriven").asInt()).isZero();
    assertThat(redrive("e2").json().get("redriven").asInt()).isEqualTo(1);
    assertThat(redrive("e1").json().get("redriven").asInt()).isEqualTo(broker().keeps() ? 0 : 1);
  }

  @Test
  void aLimitThatHidesLettersSaysSo() throws Exception {
    bury();
    assertThat(run("dead-letters", "list", source, "--limit", "3").out())
        .contains("The limit of 3 was reached, there are more");
    assertThat(run("dead-letters", "list", source, "--limit", "4").out())
        .doesNotContain("was reached");
    CommandRun json = run("dead-letters", "list", source, "--limit", "3", "--json");
    assertThat(json.json()).hasSize(3);
    assertThat(json.err()).contains("limit of 3 was reached");
    assertThat(run("dead-letters", "show", source, "--type", "placed", "--limit", "2").out())
        .contains("limit of 2 was reached");
    assertThat(run("dead-letters", "redrive", source, "--type", "placed", "--limit", "2").out())
        .contains("Would redrive 2", "limit of 2 was reached");
    CommandRun done = redrive("--type", "placed", "--limit", "2");
    assertThat(done.json().get("more").asBoolean()).isTrue();
    assertThat(done.json().get("redriven").asInt()).isEqualTo(2);
    assertThat(redrive("--type", "placed", "--limit", "2").json().get("more").asBoolean())
        .isFalse();
    assertThat(broker().come(source, 3))
        .extracting(DeadLetterBroker.Came::id)
        .containsExactly("e1", "e2", "e4");
  }

  @Test
  void aLetterOfAQueueIsForItsOwnConsumerUnlessAskedFor() throws Exception {
    bury();
    CommandRun other = redrive("e1", "--for", "mail");
    if (broker().keeps()) {
      assertThat(other.code()).as(other.toString()).isEqualTo(ExitCode.OK);
    } else {
      assertThat(other.code()).as(other.toString()).isEqualTo(ExitCode.USAGE);
      assertThat(other.err()).contains("'payment' dead-lettered e1", "'mail'", "--for-another");
      assertThat(run("dead-letters", "redrive", source, "e1", "--for", "mail").code())
          .as("dry run")
          .isEqualTo(ExitCode.USAGE);
      assertThat(ids("list")).contains("e1");
      assertThat(redrive("e1", "--for", "mail", "--for-another").code()).isEqualTo(ExitCode.OK);
    }
    assertThat(broker().come(source, 1).get(0).headers())
        .containsEntry("waybill-redriven-for", "mail");
    assertThat(redrive("e2", "--for", "payment").code()).isEqualTo(ExitCode.OK);
  }

  /** By the times of the audit: to start a command takes long enough by itself. */
  @Test
  void redriveIsNoFasterThanItsRate() throws Exception {
    for (int i = 10; i < 41; i++) {
      bury("e" + i, Duration.ofMinutes(60 - i));
    }
    assertThat(redrive("--type", "placed", "--rate", "10", "--canary", "0").code())
        .isEqualTo(ExitCode.OK);
    List<String> millis =
        texts(
            "select (extract(epoch from max(completed_at) - min(completed_at)) * 1000)::bigint,"
                + " count(*) from waybill_audit");
    String[] found = millis.get(0).split("\\|", -1);
    assertThat(found[1]).isEqualTo("31");
    // What was late may be made up for, a fifth of a second of it.
    assertThat(Long.parseLong(found[0])).as("ms for 30 after the first").isGreaterThan(1_900);
    assertThat(broker().come(source, 31))
        .extracting(DeadLetterBroker.Came::id)
        .containsExactlyElementsOf(IntStream.range(10, 41).mapToObj(i -> "e" + i).toList());
    assertThat(run("dead-letters", "redrive", source, "e1", "--rate", "0").code())
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void nothingMoreIsSentAfterAFailureAndTheLetterStays() throws Exception {
    bury();
    broker().drop(source);
    CommandRun failed = redrive("--consumer", "payment");
    assertThat(failed.code()).as(failed.toString()).isEqualTo(ExitCode.FINDINGS);
    assertThat(failed.json().get("redriven").asInt()).isZero();
    assertThat(failed.json().get("failure").asString()).startsWith("e1: ");
    assertThat(texts("select event_id, done from waybill_audit")).containsExactly("e1|f");
    assertThat(ids("list")).containsExactly("e1", "e2", "e3", "e4");
  }

  @Test
  void whatCannotBeAuditedIsLeftToTheNextProcess() throws Exception {
    bury();
    sql("alter table waybill_audit add constraint closed check (event_id <> 'e2')");
    CommandRun failed = redrive("--consumer", "payment", "--canary", "0");
    assertThat(failed.code()).as(failed.toString()).isNotEqualTo(ExitCode.OK);
    assertThat(texts("select event_id, done from waybill_audit")).containsExactly("e1|t");
    assertThat(ids("list")).contains("e2", "e4");
    // The process that goes on sends it again; its inbox drops the copy.
    sql("alter table waybill_audit drop constraint closed");
    sql("update waybill_job set runner = null");
    JsonNode left = run("jobs", "list", "--json").json().get(0);
    CommandRun next =
        run("jobs", "run", left.get("job").asString(), "--yes", "--reason", "mended", "--json");
    assertThat(next.code()).as(next.toString()).isEqualTo(ExitCode.OK);
    assertThat(texts("select event_id from waybill_audit order by id"))
        .containsExactly("e1", "e2", "e4");
    assertThat(broker().come(source, 4))
        .extracting(DeadLetterBroker.Came::id)
        .containsExactly("e1", "e2", "e2", "e4");
  }

  @Test
  void aLetterThatCannotBeReadIsNamedAndStays() throws Exception {
    sendLetter(
        "not a letter".getBytes(StandardCharsets.UTF_8),
        List.of(new Header("waybill-dead-consumer", "payment")));
    JsonNode shown = run("dead-letters", "show", source, "--consumer", "payment", "--json").json();
    assertThat(shown.get("readable").asBoolean()).isFalse();
    assertThat(redrive("--consumer", "payment").json().get("failure").asString())
        .contains("no readable original");
    assertThat(run("dead-letters", "list", source, "--json").json()).hasSize(1);
  }

  @Test
  void aRawLetterIsListedShownAndSentAgainAsAnyOther() throws Exception {
    Duration hour = Duration.ofHours(1);
    bury(PAYMENT, "e1", "placed", "1", BINARY, hour, DeadLetterForm.RAW);
    assertThat(ids("list", "--type", "placed", "--error", "placedException", "--older-than", "30m"))
        .containsExactly("e1");
    JsonNode shown = run("dead-letters", "show", source, "e1", "--payload", "--json").json();
    assertThat(shown.get("payloadBase64").asString())
        .isEqualTo(Base64.getEncoder().encodeToString(BINARY));
    assertThat(shown.get("error").asString()).isEqualTo("shop.placedException: no");
    assertThat(shown.get("headers").toString()).contains("tenant: red").doesNotContain("dead-");
    assertThat(redrive("e1").json().get("redriven").asInt()).isEqualTo(1);
    DeadLetterBroker.Came came = broker().come(source, 1).get(0);
    assertThat(came.body()).isEqualTo(BINARY);
    assertThat(came.headers())
        .containsEntry("waybill-redriven-for", "payment")
        .containsEntry("content-type", "application/vnd.shop")
        .doesNotContainKeys("waybill-dead-error", "waybill-dead-body");
  }

  @Test
  void aLetterWithoutBodySaysWhereItsOriginalLiesAndStays() throws Exception {
    Duration hour = Duration.ofHours(1);
    bury(PAYMENT, "e1", "placed", "1", BINARY, hour, DeadLetterForm.WITHOUT_BODY);
    JsonNode shown = run("dead-letters", "show", source, "--type", "placed", "--json").json();
    assertThat(shown.get("eventId").asString()).isEqualTo("e1");
    assertThat(shown.get("readable").asBoolean()).isFalse();
    assertThat(shown.get("bodyBytes").asInt()).isEqualTo(BINARY.length);
    assertThat(shown.get("bodySha256").asString()).hasSize(64);
    assertThat(shown.get("originalPlace").asString()).isEqualTo(source + "-0@5");
    assertThat(redrive("e1").json().get("failure").asString())
        .contains("without its body of 3 bytes", "is at " + source + "-0@5");
    assertThat(ids("list")).containsExactly("e1");
  }

  @Test
  void aLetterThatNamesNoConsumerIsSentToTheOneThatIsNamed() throws Exception {
    String letter =
        "{\"eventId\":\"e1\",\"originalEvent\":{\"eventId\":\"e1\",\"eventType\":\"t\"}}";
    sendLetter(letter.getBytes(StandardCharsets.UTF_8), List.of());
    assertThat(redrive("e1").json().get("failure").asString()).contains("--for");
    assertThat(redrive("e1", "--for", "mail").json().get("failure").isNull()).isTrue();
    assertThat(broker().come(source, 1).get(0).headers())
        .containsEntry("waybill-redriven-for", "mail");
  }

  private void sendLetter(byte[] body, List<Header> headers) throws Exception {
    Destination letters = broker().destination(source + ".dlt");
    broker().send(new Outgoing(1, letters, null, body, "text/plain", "", "", 0, headers));
  }

  @Test
  void deadLettersThatAreNotThereAreAFinding() {
    CommandRun run = run("dead-letters", "list", "nowhere");
    assertThat(run.code()).as(run.toString()).isEqualTo(ExitCode.FINDINGS);
    assertThat(run.err()).contains("nowhere.dlt");
  }
}
