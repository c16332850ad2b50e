package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What an event holds, shown to who has the right and gives a reason. */
class ApiContentsTest extends ApiOnPostgres {
  private static final String PAYLOAD = "/outboxes/orders/event/payload";
  private static final Map<String, String> FIRST = Map.of("id", "e1", "reason", "ticket 7");

  private JsonNode contents(Map<String, String> body) throws Exception {
    HttpResponse<String> answer = api.post("administrator", PAYLOAD, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return ApiServer.json(answer);
  }

  @Test
  void anAdministratorSeesWhatAnEventHoldsAndTheAuditSaysSo() throws Exception {
    JsonNode contents = contents(FIRST);
    assertThat(contents.get("text").asString()).isEqualTo("{\"n\":1}");
    assertThat(contents.get("base64").isNull()).isTrue();
    assertThat(contents.get("contentType").asString()).isEqualTo("application/json");
    assertThat(contents.get("headers").asString()).isEqualTo("{\"colour\":\"red\"}");
    assertThat(contents.get("payloadBytes").asInt()).isEqualTo(7);
    assertThat(contents.get("cut").asBoolean()).isFalse();
    assertThat(
            text(
                """
                select string_agg(concat_ws(' ', verb, event_id, requested_by, database_user, reason, done, note), ',')
                from waybill_audit"""))
        .isEqualTo("REVEAL e1 administrator postgres ticket 7 t payload and headers");

    assertThat(api.post("operator", PAYLOAD, FIRST).body()).contains("WAYBILL_ADMINISTRATOR");
    assertThat(api.post("elsewhere", PAYLOAD, FIRST).statusCode()).isEqualTo(403);
    assertThat(api.post("administrator", PAYLOAD, Map.of("id", "e1")).body())
        .contains("reason must be given");
    assertThat(api.post("administrator", PAYLOAD, Map.of("id", "none", "reason", "x")).statusCode())
        .isEqualTo(404);
    assertThat(count("waybill_audit")).isEqualTo(1);
  }

  @Test
  void whatIsNoTextOrTooLongComesAsBase64OrCut() throws Exception {
    sql("update waybill_outbox set payload = '\\x00ff' where event_id = 'e1'");
    JsonNode bytes = contents(FIRST);
    assertThat(bytes.get("text").isNull()).isTrue();
    assertThat(bytes.get("base64").asString()).isEqualTo("AP8=");

    // The bound is within a character.
    sql(
        """
        update waybill_outbox set payload = convert_to('x' || repeat('é', 40000), 'UTF8')
        where event_id = 'e1'""");
    JsonNode cut = contents(FIRST);
    assertThat(cut.get("cut").asBoolean()).isTrue();
    assertThat(cut.get("payloadBytes").asInt()).isEqualTo(80_001);
    assertThat(cut.get("text").asString()).isEqualTo("x" + "é".repeat(32_767));

    sql("update waybill_outbox set payload = null where event_id = 'e1'");
    JsonNode none = contents(FIRST);
    assertThat(none.get("payloadBytes").isNull()).isTrue();
    assertThat(none.get("text").isNull()).isTrue();
    assertThat(none.get("base64").isNull()).isTrue();
  }

  @Test
  void theRightToReadPayloadsIsGrantedApart() throws Exception {
    List<String> roles =
        List.of("contents_writer", "contents_relay", "contents_operator", "contents_reader");
    for (String role : roles) {
      sql("drop role if exists " + role + "; create role " + role + " login");
    }
    sql(run("schema", "print", "--grants", String.join(",", roles)).out());
    Path asOperator = CommandRun.write(home(), yaml("contents_operator"));
    try (ApiServer other = ApiServer.start(asOperator, users)) {
      HttpResponse<String> refused = other.post("administrator", PAYLOAD, FIRST);
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
      assertThat(refused.body())
          .contains("Missing grant", "SELECT on column payload of", "--payload-grant ROLE");
      assertThat(count("waybill_audit")).isZero();

      sql(run("schema", "print", "--payload-grant", "contents_operator").out());
      HttpResponse<String> answer = other.post("administrator", PAYLOAD, FIRST);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }
    assertThat(text("select database_user from waybill_audit")).isEqualTo("contents_operator");
    for (String role : roles) {
      sql("drop owned by " + role + "; drop role " + role);
    }
  }
}
