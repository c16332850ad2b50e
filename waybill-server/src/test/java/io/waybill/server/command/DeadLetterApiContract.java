package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.broker.Outgoing;
import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Consumers and their dead letters by the API, on a real broker and a real PostgreSQL. */
abstract class DeadLetterApiContract extends BuriedEvents {
  private static final String SHOP = "/outboxes/orders";
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(60));

  private ApiServer api;

  @BeforeEach
  void start() throws Exception {
    assertThat(run("schema", "apply", "--inbox").code()).isEqualTo(ExitCode.OK);
    Path users = folder.resolve("users");
    Files.write(
        users,
        List.of(
            ApiOnPostgres.user("viewer", "viewer"), ApiOnPostgres.user("operator", "operator")));
    api = ApiServer.start(config, users);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private JsonNode get(String path) throws Exception {
    return json(api.get("viewer", SHOP + path));
  }

  private static JsonNode json(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return ApiServer.json(answer);
  }

  private List<String> found(String query) throws Exception {
    return get("/dead-letters?source=" + source + query)
        .get("items")
        .valueStream()
        .map(each -> each.get("eventId").asString())
        .toList();
  }

  /** Plans a redrive, lets it run for a reason, and waits for its end. */
  private JsonNode redriven(String reason, Map<String, Object> body) throws Exception {
    return run(reason, json(api.post("operator", SHOP + "/dead-letters/jobs", body)));
  }

  private JsonNode run(String reason, JsonNode planned) throws Exception {
    String id = planned.get("id").asString();
    assertThat(planned.get("state").asString()).isEqualTo("PLANNED");
    json(api.post("operator", SHOP + "/job/run", Map.of("id", id, "reason", reason)));
    await().atMost(LIMIT).until(() -> !job(id).get("state").asString().equals("RUNNING"));
    return job(id);
  }

  private JsonNode job(String id) throws Exception {
    return get("/job?id=" + id);
  }

  private List<String> outcomes(JsonNode job) throws Exception {
    return get("/job/events?id=" + job.get("id").asString())
        .get("items")
        .valueStream()
        .map(each -> each.get("eventId").asString() + " " + each.get("outcome").asString())
        .toList();
  }

  /** By one request: who is late, and where dead letters are. */
  @Test
  void oneRequestTellsWhichConsumerIsLateAndWhoHasDeadLetters() throws Exception {
    bury();
    broker()
        .send(
            new Outgoing(
                1,
                broker().destination(source),
                null,
                json("e9"),
                "text/plain",
                "",
                "",
                0,
                List.of()));
    String lane = broker().keeps() ? source + "-0" : source;
    sql("insert into waybill_inbox_lane values ('payment', '%s', 's', 0)".formatted(lane));
    sql(
        """
        insert into waybill_inbox_deferred (consumer, event_id, event_type, source, behind, attempts,
          due_at, failure, dead_reason, message_micros)
        values ('payment', 'e8', 'placed', '%s', false, 10, now(), 'no answer', 'attempts-exhausted', 0)"""
            .formatted(source));

    await().atMost(LIMIT).until(() -> consumer().at("/sources/0/deadLetters").asInt() == 4);

    JsonNode payment = consumer();
    assertThat(get("/consumers").get("problem").isNull()).isTrue();
    assertThat(payment.get("consumer").asString()).isEqualTo("payment");
    assertThat(payment.get("sources")).hasSize(1);
    assertThat(payment.at("/sources/0/source").asString()).isEqualTo(source);
    assertThat(payment.at("/sources/0/lag").asInt()).isEqualTo(1);
    assertThat(payment.at("/deferred/count").asInt()).isEqualTo(1);
    assertThat(payment.get("givenUp").asInt()).isEqualTo(1);
    assertThat(payment.at("/next/failure").asString()).isEqualTo("no answer");
    JsonNode row = run("consumers", "--json").json().get(0);
    assertThat(row.get("sources").asString()).isEqualTo(source);
    assertThat(row.get("lag").asInt()).isEqualTo(1);
    assertThat(row.get("deadLetters").asInt()).isEqualTo(4);
  }

  private JsonNode consumer() throws Exception {
    return get("/consumers").get("items").get(0);
  }

  @Test
  void lettersAreFoundByEveryConditionAsByTheCommand() throws Exception {
    bury();
    assertThat(found("")).isEqualTo(ids("list")).containsExactly("e1", "e2", "e3", "e4");
    assertThat(found("&eventId=e2&eventId=e4")).containsExactly("e2", "e4");
    assertThat(found("&type=paid")).containsExactly("e3");
    assertThat(found("&key=order/1")).containsExactly("e1", "e2");
    assertThat(found("&consumer=inventory")).containsExactly("e3");
    assertThat(found("&error=paidException")).containsExactly("e3");
    Instant time = Instant.now().minus(Duration.ofMinutes(90));
    assertThat(found("&before=" + time)).containsExactly("e1");
    assertThat(found("&since=" + time)).containsExactly("e2", "e3", "e4");

    JsonNode one = get("/dead-letter?source=%s&id=e3".formatted(source)).get("items").get(0);
    assertThat(one.get("consumer").asString()).isEqualTo("inventory");
    assertThat(one.get("reason").asString()).isEqualTo("permanent-failure");
    assertThat(one.get("error").asString()).isEqualTo("shop.paidException: no");
    assertThat(one.get("readable").asBoolean()).isTrue();
    String all = get("/dead-letters?source=" + source).toString();
    assertThat(all).doesNotContain("1.50", "tenant", "red\"");
    assertThat(status("/dead-letter?source=%s&id=none".formatted(source))).isEqualTo(404);
    assertThat(status("/dead-letters?source=nowhere")).isEqualTo(404);
    assertThat(status("/dead-letters?source=" + "x".repeat(245) + "y")).isEqualTo(400);
    assertThat(status("/dead-letters?source=" + "%C3%A9".repeat(200))).isEqualTo(400);
    assertThat(status("/dead-letters")).isEqualTo(400);
  }

  final HttpResponse<String> look(String query) throws Exception {
    return api.get("viewer", SHOP + "/dead-letters?source=" + source + query);
  }

  private int status(String path) throws Exception {
    return api.get("viewer", SHOP + path).statusCode();
  }

  @Test
  void pagesOfATopicFollowEachOtherAndAQueueHasOne() throws Exception {
    bury();
    JsonNode page = get("/dead-letters?limit=3&source=" + source);
    assertThat(page.get("items")).hasSize(3);
    assertThat(page.get("more").asBoolean()).isTrue();
    if (!broker().keeps()) {
      assertThat(page.get("next").isNull()).isTrue();
      assertThat(status("/dead-letters?after=x&source=" + source)).isEqualTo(400);
      return;
    }
    String next = ApiOnPostgres.encoded(page.get("next").asString());
    assertThat(found("&after=" + next)).containsExactly("e4");
    assertThat(get("/dead-letters?source=" + source).get("next").isNull()).isTrue();
    assertThat(status("/dead-letters?after=other.dlt-0@1&source=" + source)).isEqualTo(400);
  }

  @Test
  void lettersAreSentAgainOnceAndEachHasItsOutcome() throws Exception {
    bury();
    Map<String, Object> ofPayment = Map.of("source", source, "consumer", "payment");
    JsonNode early = json(api.post("operator", SHOP + "/dead-letters/jobs", ofPayment));
    assertThat(broker().count(source)).as("sent by a plan").isZero();

    JsonNode done = redriven("mended", ofPayment);
    assertThat(done.get("state").asString()).as(done.toString()).isEqualTo("DONE");
    assertThat(done.get("source").asString()).isEqualTo(source);
    assertThat(done.get("unclear").asInt()).isEqualTo(3);
    assertThat(outcomes(done)).containsExactly("e1 UNCLEAR", "e2 UNCLEAR", "e4 UNCLEAR");

    assertThat(outcomes(redriven("mended", ofPayment))).as("the same again does nothing").isEmpty();
    JsonNode before = run("of before", early);
    assertThat(outcomes(before)).containsExactly("e1 SKIPPED", "e2 SKIPPED", "e4 SKIPPED");
    assertThat(broker().count(source)).isEqualTo(3);
    assertThat(broker().come(source, 3))
        .extracting(DeadLetterBroker.Came::id)
        .containsExactly("e1", "e2", "e4");
    assertThat(found("&redriven=excluded")).containsExactly("e3");
    assertThat(texts("select distinct verb, requested_by, reason, done from waybill_audit"))
        .containsExactly("REDRIVE|operator|mended|t");
    HttpResponse<String> all =
        api.post("operator", SHOP + "/dead-letters/jobs", Map.of("source", source));
    assertThat(all.statusCode()).isEqualTo(400);
    assertThat(all.body()).contains("must have a condition other than the source");
    Map<String, Object> forMail = Map.of("source", source, "eventId", "e3", "for", "mail");
    if (broker().keeps()) {
      assertThat(outcomes(redriven("r", forMail))).containsExactly("e3 UNCLEAR");
    } else {
      HttpResponse<String> another = api.post("operator", SHOP + "/dead-letters/jobs", forMail);
      assertThat(another.body()).contains("for must be 'inventory'");
    }
  }

  @Test
  void nothingMoreIsSentAfterAFailure() throws Exception {
    bury();
    broker().drop(source);
    JsonNode failed = redriven("too early", Map.of("source", source, "consumer", "payment"));
    assertThat(failed.get("state").asString()).isEqualTo("STOPPED");
    assertThat(failed.get("note").asString()).startsWith("e1: ");
    assertThat(outcomes(failed)).containsExactly("e1 REFUSED", "e2 PLANNED", "e4 PLANNED");
    assertThat(found("")).containsExactly("e1", "e2", "e3", "e4");
  }

  /** What is paused reads and sends nothing, and holds nothing of a queue. */
  @Test
  void aPausedRedriveGoesOnWhereItWas() throws Exception {
    for (int i = 10; i < 40; i++) {
      bury("e" + i, Duration.ofMinutes(60 - i));
    }
    Map<String, Object> slowly = Map.of("source", source, "type", "placed", "canary", 0, "rate", 2);
    String id =
        json(api.post("operator", SHOP + "/dead-letters/jobs", slowly)).get("id").asString();
    json(api.post("operator", SHOP + "/job/run", Map.of("id", id, "reason", "r")));
    await().atMost(LIMIT).until(() -> job(id).get("requested").asInt() > 1);
    json(api.post("operator", SHOP + "/job/pause", Map.of("id", id)));
    await().atMost(LIMIT).until(() -> job(id).get("runner").isNull());
    int sent = job(id).get("requested").asInt();
    assertThat(sent).isLessThan(30);
    await().atMost(LIMIT).until(() -> found("").size() == (broker().keeps() ? 30 : 30 - sent));
    assertThat(broker().count(source)).isEqualTo(sent);

    sql("update waybill_job set rate = 100");
    json(api.post("operator", SHOP + "/job/resume", Map.of("id", id)));
    await().atMost(LIMIT).until(() -> job(id).get("state").asString().equals("DONE"));
    assertThat(broker().come(source, 30))
        .extracting(DeadLetterBroker.Came::id)
        .containsExactlyElementsOf(IntStream.range(10, 40).mapToObj(i -> "e" + i).toList());
  }

  @Test
  void aCancelledRedriveSendsNothingMore() throws Exception {
    bury();
    Map<String, Object> slowly = Map.of("source", source, "type", "placed", "canary", 1, "rate", 1);
    String id =
        json(api.post("operator", SHOP + "/dead-letters/jobs", slowly)).get("id").asString();
    json(api.post("operator", SHOP + "/job/run", Map.of("id", id, "reason", "r")));
    await().atMost(LIMIT).until(() -> job(id).get("requested").asInt() > 0);
    json(api.post("operator", SHOP + "/job/cancel", Map.of("id", id)));
    await()
        .atMost(LIMIT)
        .until(() -> job(id).get("runner").isNull() && job(id).get("open").asInt() == 0);
    assertThat(outcomes(job(id))).containsExactly("e1 UNCLEAR", "e2 PLANNED", "e4 PLANNED");
    assertThat(broker().count(source)).isEqualTo(1);
    await().atMost(LIMIT).until(() -> found("").contains("e2"));
  }
}
