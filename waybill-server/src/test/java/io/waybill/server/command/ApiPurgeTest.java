package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The removal of dead events by an administrator, who has seen which. */
@Tag("long")
class ApiPurgeTest extends ApiOnPostgres {
  private static final String PURGE = "/outboxes/orders/events/purge";
  private static final Map<String, Object> SECOND =
      Map.of("eventId", List.of("e2"), "reason", "ticket 7");

  private JsonNode plan(String query) throws Exception {
    HttpResponse<String> answer = api.get("administrator", PURGE + query);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return ApiServer.json(answer);
  }

  private static List<String> outcomes(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return ApiServer.json(answer)
        .get("items")
        .valueStream()
        .map(
            each ->
                "%s %s %s"
                    .formatted(
                        each.get("eventId").asString(),
                        each.get("outcome").asString(),
                        each.get("state").asString("none")))
        .toList();
  }

  @Test
  void whatWasSeenIsRemovedUnlessItHasChangedSince() throws Exception {
    state("e3", "DEAD");
    JsonNode plan = plan("");
    assertThat(plan.get("events").get("count").asInt()).isEqualTo(2);
    assertThat(plan.get("items").valueStream().map(each -> each.get("eventId").asString()))
        .containsExactly("e2", "e3");
    assertThat(plan("?type=none").get("items")).isEmpty();
    assertThat(plan("?limit=1").get("items")).hasSize(1);
    assertThat(count("waybill_outbox")).isEqualTo(4);
    sql(
        """
        update waybill_row_state set state = 'PARKED'
        where row_id = (select id from waybill_outbox where event_id = 'e3')""");
    // Dead since, but not seen.
    state("e4", "DEAD");

    Map<String, Object> body =
        Map.of("eventId", List.of("e2", "e3", "gone", "e2"), "reason", "ticket 7");
    HttpResponse<String> first = api.post("administrator", PURGE, body);
    assertThat(outcomes(first))
        .containsExactly("e2 REMOVED none", "e3 LEFT PARKED", "gone LEFT none");
    assertThat(ApiServer.json(first).get("removed").asInt()).isEqualTo(1);
    assertThat(text("select string_agg(event_id, ',' order by id) from waybill_outbox"))
        .isEqualTo("e1,e3,e4");
    String audit =
        """
        select string_agg(concat_ws(' ', verb, event_id, requested_by, reason, done, note), ',')
        from waybill_audit""";
    assertThat(text(audit)).isEqualTo("PURGE e2 administrator ticket 7 t removed");

    assertThat(outcomes(api.post("administrator", PURGE, body))).contains("e2 LEFT none");
    assertThat(count("waybill_audit")).as("a repetition changes nothing").isEqualTo(1);
  }

  @Test
  void whatARequestWaitsForStays() throws Exception {
    assertThat(run("events", "replay", "e2", "--yes", "--reason", "again").code()).isZero();
    assertThat(outcomes(api.post("administrator", PURGE, SECOND))).containsExactly("e2 LEFT DEAD");
    assertThat(count("waybill_outbox")).isEqualTo(4);
  }

  @Test
  void othersMayNeitherPlanNorRunIt() throws Exception {
    for (String user : List.of("viewer", "operator", "here", "elsewhere")) {
      assertThat(api.get(user, PURGE).statusCode()).as(user).isEqualTo(403);
      assertThat(api.post(user, PURGE, SECOND).statusCode()).as(user).isEqualTo(403);
    }
    assertThat(api.post("administrator", PURGE, Map.of("reason", "x")).body())
        .contains("eventId must be given");
    assertThat(api.post("administrator", PURGE, Map.of("eventId", "e2")).body())
        .contains("reason must be given");
    assertThat(api.get("administrator", PURGE + "?group=parked-" + "ab".repeat(16)).body())
        .contains("group must be of dead events");
    assertThat(count("waybill_outbox")).isEqualTo(4);
  }

  @Test
  void theRightToRemoveIsGrantedApart() throws Exception {
    List<String> roles = List.of("purge_writer", "purge_relay", "purge_operator", "purge_reader");
    for (String role : roles) {
      sql("drop role if exists " + role + "; create role " + role + " login");
    }
    sql(run("schema", "print", "--grants", String.join(",", roles)).out());
    Path asOperator = CommandRun.write(home(), yaml("purge_operator"));
    try (ApiServer other = ApiServer.start(asOperator, users)) {
      HttpResponse<String> refused = other.post("administrator", PURGE, SECOND);
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
      assertThat(refused.body()).contains("Missing grant", "DELETE of", "--purge-grant ROLE");
      assertThat(count("waybill_audit")).isZero();

      sql(run("schema", "print", "--purge-grant", "purge_operator").out());
      assertThat(outcomes(other.post("administrator", PURGE, SECOND)))
          .containsExactly("e2 REMOVED none");
    }
    for (String role : roles) {
      sql("drop owned by " + role + "; drop role " + role);
    }
  }
}
