package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.testkit.Patience;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A correction by the API: planned, then run until a relay has buried the event. */
@Tag("long")
class ApiCorrectionTest extends ApiOnPostgres {
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(60));
  private static final String PLAN = "/outboxes/orders/event/correction";
  private static final String RUN = PLAN + "/run";
  private static final Map<String, Object> FIRST = Map.of("id", "e1", "payload", "{\"n\":42}");

  private JsonNode answer(ApiServer from, String path, Map<String, ?> body) throws Exception {
    HttpResponse<String> answer = from.post("administrator", path, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).doesNotContain("42}");
    return ApiServer.json(answer);
  }

  private static Map<String, Object> run(String id) {
    return Map.of("id", id, "payload", "{\"n\":42}", "reason", "ticket 7");
  }

  @Test
  void aPlanSaysWhatWouldBeDoneAndItsRunAppendsOnceTheEventIsBuried() throws Exception {
    JsonNode plan = answer(api, PLAN, FIRST);
    assertThat(plan.get("event").get("eventId").asString()).isEqualTo("e1");
    assertThat(plan.get("behind").get("count").asInt()).isZero();
    assertThat(count("waybill_audit")).isZero();
    assertThat(count("waybill_outbox")).isEqualTo(4);

    String id = plan.get("id").asString();
    JsonNode waiting = answer(api, RUN, run(id));
    assertThat(waiting.get("state").asString()).isEqualTo("WAITING");
    assertThat(waiting.get("correctedBy").isNull()).isTrue();
    await().atMost(LIMIT).until(() -> bury("e1"));
    // By a process that knows nothing of the first answer.
    try (ApiServer other = ApiServer.start(config(), users)) {
      await()
          .atMost(LIMIT)
          .until(() -> answer(other, RUN, run(id)).get("state").asString().equals("DONE"));
    }
    JsonNode done = answer(api, RUN, run(id));
    String corrected = done.get("correctedBy").asString();
    assertThat(
            text(
                "select convert_from(payload, 'UTF8') from waybill_outbox order by id desc limit 1"))
        .isEqualTo("{\"n\":42}");
    assertThat(text("select event_id from waybill_outbox order by id desc limit 1"))
        .isEqualTo(corrected);
    assertThat(count("waybill_outbox")).isEqualTo(5);
    assertThat(text("select distinct requested_by from waybill_audit")).isEqualTo("administrator");

    HttpResponse<String> again = api.post("administrator", PLAN, FIRST);
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body()).contains("has been corrected by");
  }

  @Test
  void whatCannotBeCorrectedIsAProblemThatRepeatsNoPayload() throws Exception {
    assertThat(api.post("operator", PLAN, FIRST).body()).contains("WAYBILL_ADMINISTRATOR");
    assertThat(api.post("operator", RUN, run("7")).statusCode()).isEqualTo(403);
    assertThat(api.post("administrator", RUN, run("7")).statusCode()).isEqualTo(404);
    Map<String, Object> body = new TreeMap<>(FIRST);
    body.put("id", "e3");
    HttpResponse<String> pending = api.post("administrator", PLAN, body);
    assertThat(pending.statusCode()).isEqualTo(409);
    assertThat(pending.body()).contains("is PENDING, but must be PARKED or DEAD");
    body.put("id", "none");
    assertThat(api.post("administrator", PLAN, body).statusCode()).isEqualTo(404);
    assertThat(api.post("administrator", PLAN, Map.of("id", "e1")).body())
        .contains("payload must be given");
    body.put("id", "e1");
    body.put("header", List.of("colour"));
    assertThat(api.post("administrator", PLAN, body).body()).contains("header must be like");
    body.remove("header");
    body.put("payloadBase64", "AA==");
    assertThat(api.post("administrator", PLAN, body).body())
        .contains("must be absent where payload");
    for (Object secret : List.of(Map.of("s3cret", 1), "s3cret\u0000", "s3cret".repeat(100_000))) {
      HttpResponse<String> refused =
          api.post("administrator", PLAN, Map.of("id", "e1", "payload", secret));
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body()).contains("\"field\":\"payload\"").doesNotContain("s3cret");
    }
    assertThat(count("waybill_job")).isZero();
  }

  @Test
  void bytesComeInBase64AndTheRightToAppendIsGrantedApart() throws Exception {
    List<String> roles =
        List.of(
            "correction_writer", "correction_relay", "correction_operator", "correction_reader");
    for (String role : roles) {
      sql("drop role if exists " + role + "; create role " + role + " login");
    }
    sql(run("schema", "print", "--grants", String.join(",", roles)).out());
    Path asOperator = CommandRun.write(home(), yaml("correction_operator"));
    String base64 =
        Base64.getEncoder().encodeToString("{\"n\":42}".getBytes(StandardCharsets.UTF_8));
    Map<String, Object> body = new TreeMap<>(Map.of("id", "e1", "payloadBase64", base64));
    try (ApiServer other = ApiServer.start(asOperator, users)) {
      HttpResponse<String> refused = other.post("administrator", PLAN, body);
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
      assertThat(refused.body()).contains("Missing grant", "--correction-grant ROLE");

      sql(run("schema", "print", "--correction-grant", "correction_operator").out());
      body.put("id", answer(other, PLAN, body).get("id").asString());
      body.put("reason", "ticket 7");
      assertThat(answer(other, RUN, body).get("state").asString()).isEqualTo("WAITING");
      await().atMost(LIMIT).until(() -> bury("e1"));
      await()
          .atMost(LIMIT)
          .until(() -> answer(other, RUN, body).get("state").asString().equals("DONE"));
    }
    assertThat(
            text(
                "select convert_from(payload, 'UTF8') from waybill_outbox order by id desc limit 1"))
        .isEqualTo("{\"n\":42}");
    for (String role : roles) {
      sql("drop owned by " + role + "; drop role " + role);
    }
  }
}
