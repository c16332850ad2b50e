package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Changes by the API: planned first, then carried out by whichever process serves it. */
@Tag("long")
class ApiJobsTest extends ParkedGroup {
  private static final String SHOP = "/outboxes/orders";

  @TempDir private Path home;
  private Path users = Path.of("unset");
  private ApiServer api;

  @BeforeEach
  void start() throws Exception {
    users = home.resolve("users");
    Files.write(
        users,
        List.of(
            ApiOnPostgres.user("viewer", "viewer"), ApiOnPostgres.user("operator", "operator")));
    api = ApiServer.start(config(), users);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private String planned(int canary, int rate) throws Exception {
    Map<String, Object> plan =
        Map.of("verb", "retry", "group", GROUP, "canary", canary, "rate", rate);
    JsonNode job = json(api.post("operator", SHOP + "/jobs", plan));
    assertThat(job.get("state").asString()).isEqualTo("PLANNED");
    assertThat(job.get("plannedBy").asString()).isEqualTo("operator");
    assertThat(job.get("events").get("count").asInt()).isEqualTo(20);
    assertThat(job.get("filter").get("group").asString()).isEqualTo(GROUP);
    return job.get("id").asString();
  }

  private static JsonNode json(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return ApiServer.json(answer);
  }

  private JsonNode job(ApiServer api, String id) throws Exception {
    return json(api.get("viewer", SHOP + "/job?id=" + id));
  }

  private static Map<String, Object> run(String id) {
    return Map.of("id", id, "reason", "the route is right");
  }

  /** Does what relays would, until the job has a state. */
  private void answeredUntil(ApiServer api, String id, String state) {
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              for (String event : open()) {
                carryOut(event, event.equals("p13"));
              }
              return job(api, id).get("state").asString().equals(state);
            });
  }

  @Test
  void aPlanChangesNothingAndItsRunSaysWhatBecameOfEachEvent() throws Exception {
    String id = planned(3, 500);
    assertThat(count("waybill_audit")).isZero();
    JsonNode running = json(api.post("operator", SHOP + "/job/run", run(id)));
    assertThat(running.get("state").asString()).isEqualTo("RUNNING");
    assertThat(json(api.post("operator", SHOP + "/job/run", run(id))).get("id").asString())
        .as("the same again changes nothing")
        .isEqualTo(id);

    answeredUntil(api, id, "DONE");

    JsonNode done = job(api, id);
    assertThat(done.get("succeeded").asInt()).isEqualTo(19);
    assertThat(done.get("failed").asInt()).isEqualTo(1);
    assertThat(requested()).hasSize(20).isSorted();
    JsonNode failed =
        json(api.get("viewer", SHOP + "/job/events?outcome=failed&id=" + id)).get("items");
    assertThat(failed).singleElement().returns("p13", each -> each.get("eventId").asString());
    JsonNode page = json(api.get("viewer", SHOP + "/job/events?limit=15&id=" + id));
    assertThat(page.get("items")).hasSize(15);
    assertThat(
            json(api.get(
                    "viewer",
                    SHOP
                        + "/job/events?limit=15&id=%s&after=%s"
                            .formatted(id, page.get("next").asString())))
                .get("items"))
        .hasSize(5);
    assertThat(text("select distinct requested_by from waybill_audit")).isEqualTo("operator");
    HttpResponse<String> again = api.post("operator", SHOP + "/job/cancel", Map.of("id", id));
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body()).contains("is DONE, but must be PLANNED or RUNNING or PAUSED");
  }

  /** Planned at one, run at the other, whose process ends: the first one goes on. */
  @Test
  void anotherProcessGoesOnWithAJob() throws Exception {
    String id = planned(2, 5);
    try (ApiServer other = ApiServer.start(config(), users)) {
      json(other.post("operator", SHOP + "/job/run", run(id)));
      answeredUntilSome(id);
      assertThat(json(other.get("viewer", SHOP + "/jobs")).get("items")).hasSize(1);
    }
    answeredUntil(api, id, "DONE");

    assertThat(requested()).hasSize(20).doesNotHaveDuplicates();
    assertThat(job(api, id).get("requested").asInt()).isEqualTo(20);
  }

  private void answeredUntilSome(String id) {
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              for (String event : open()) {
                carryOut(event, false);
              }
              return job(api, id).get("succeeded").asInt() > 2;
            });
  }

  @Test
  void aPausedJobRestsUntilItIsResumed() throws Exception {
    String id = planned(1, 20);
    json(api.post("operator", SHOP + "/job/run", run(id)));
    await().atMost(LIMIT).until(() -> !open().isEmpty());
    JsonNode paused = json(api.post("operator", SHOP + "/job/pause", Map.of("id", id)));
    assertThat(paused.get("note").asString()).isEqualTo("paused by operator");
    carryOut("p10", false);
    await().atMost(LIMIT).until(() -> job(api, id).get("open").asInt() == 0);
    assertThat(job(api, id).get("succeeded").asInt()).isEqualTo(1);
    assertThat(requested()).containsExactly("p10");

    json(api.post("operator", SHOP + "/job/resume", Map.of("id", id)));
    answeredUntil(api, id, "DONE");
    assertThat(requested()).hasSize(20);
  }

  @Test
  void aDestinationIsPausedAndResumed() throws Exception {
    Map<String, Object> pause = Map.of("destination", "audit", "reason", "full");
    JsonNode paused = json(api.post("operator", SHOP + "/destination/pause", pause));
    assertThat(paused.get("items").get(0).get("paused").asBoolean()).isTrue();
    JsonNode resumed = json(api.post("operator", SHOP + "/destination/resume", pause));
    assertThat(resumed.get("items").get(0).get("paused").asBoolean()).isFalse();
    assertThat(
            text(
                "select string_agg(verb || ' ' || requested_by, ',' order by id) from waybill_audit"))
        .isEqualTo("PAUSE operator,RESUME operator");
  }

  /** One with a typing error would stop nothing. */
  @Test
  void aDestinationToWhichNoRouteLeadsIsNotPaused() throws Exception {
    Map<String, Object> pause = Map.of("destination", "audti", "reason", "full");
    HttpResponse<String> answer = api.post("operator", SHOP + "/destination/pause", pause);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains(
            "destination must be one to which a route leads: audit, orders-{header.colour}, but is 'audti'");
    assertThat(text("select count(*) from waybill_destination")).isEqualTo("0");
    Map<String, Object> made = Map.of("destination", "orders-red", "reason", "full");
    assertThat(api.post("operator", SHOP + "/destination/pause", made).statusCode()).isEqualTo(200);
  }

  /** What another site could make a browser send, and what is no plan. */
  @Test
  void aChangeIsJsonOfThisSiteAndNamesWhatItLacks() throws Exception {
    Map<String, Object> plan = new TreeMap<>(Map.of("verb", "retry", "group", GROUP));
    String json = ApiServer.JSON.writeValueAsString(plan);
    String jobs = SHOP + "/jobs";
    assertThat(api.post("operator", jobs, "text/plain", json).statusCode()).isEqualTo(415);
    assertThat(
            api.post("operator", jobs, "application/json", json, "Sec-Fetch-Site", "cross-site")
                .statusCode())
        .isEqualTo(403);
    assertThat(
            api.post("operator", jobs, "application/json", json, "Sec-Fetch-Site", "same-origin")
                .statusCode())
        .isEqualTo(200);
    assertThat(api.post("viewer", jobs, plan).body()).contains("WAYBILL_OPERATOR");
    assertThat(api.post("operator", jobs + "?verb=retry", plan).body())
        .contains("address takes none");
    assertThat(api.post("operator", jobs, Map.of("verb", "retry")).body())
        .contains("at least one condition");
    assertThat(api.post("operator", jobs, Map.of("group", GROUP)).body())
        .contains("verb must be given");
    plan.put("canary", 1_001);
    assertThat(api.post("operator", jobs, plan).body()).contains("canary must be", "1001");
    assertThat(api.post("operator", jobs, "application/json", "[1").body())
        .contains("must be a JSON object");
    assertThat(
            api.post("operator", SHOP + "/job/run", Map.of("id", "7", "reason", "x")).statusCode())
        .isEqualTo(404);
    assertThat(api.post("operator", SHOP + "/job/run", Map.of("id", "7", "reason", " ")).body())
        .contains("reason must not be blank");
    assertThat(api.post("operator", SHOP + "/status", plan).statusCode()).isEqualTo(404);
    HttpResponse<String> method = api.post("operator", SHOP + "/events", plan);
    assertThat(method.statusCode()).isEqualTo(405);
    assertThat(method.headers().firstValue("Allow")).hasValue("GET, HEAD");
  }
}
