package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.terminal.ExitCode;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The declaration of what destinations lack, by an administrator, with a command and without. */
@Tag("long")
class ApiDeclareTest extends ApiOnPostgres {
  private static final String DECLARE = "/outboxes/orders/destinations/declare";
  private static final String AUDIT =
      """
      select string_agg(concat_ws(' ', verb, destination, requested_by, reason, done), ',')
      from waybill_audit""";

  private static JsonNode part(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode parts = ApiServer.json(answer).get("parts");
    assertThat(parts).hasSize(1);
    return parts.get(0);
  }

  private static Map<String, Object> body(Object destination, Object... more) {
    Map<String, Object> body = new HashMap<>();
    body.put("destination", destination);
    body.put("reason", "ticket 7");
    for (int i = 0; i < more.length; i += 2) {
      body.put(more[i].toString(), more[i + 1]);
    }
    return body;
  }

  private CommandRun url(String... arguments) throws Exception {
    String login = "administrator:" + ApiServer.password("administrator");
    Path file = Files.writeString(home().resolve("login"), login + "\n");
    return CommandRun.of(
        Map.of(), with(arguments, "--url", api.url(), "--token-file", file.toString()));
  }

  @Test
  void whatIsMissingIsShownThenDeclaredAndAuditedOnce() throws Exception {
    JsonNode plan = part(api.get("administrator", DECLARE + "?destination=orders-red"));
    assertThat(plan.get("state").asString()).isEqualTo("MISSING");
    assertThat(plan.get("part").asString()).isEqualTo("topic orders-red");
    assertThat(part(api.get("administrator", DECLARE + "?destination=orders-red")))
        .as("a look changes nothing")
        .isEqualTo(plan);

    JsonNode done = part(api.post("administrator", DECLARE, body("orders-red", "partitions", 2)));
    assertThat(done.get("state").asString()).isEqualTo("DECLARED");
    assertThat(done.get("detail").asString()).startsWith("partitions: 2,");
    String audited = "DECLARE orders-red administrator ticket 7 t";
    assertThat(text(AUDIT)).isEqualTo(audited);

    JsonNode again = part(api.post("administrator", DECLARE, body("orders-red", "partitions", 9)));
    assertThat(again.get("state").asString()).isEqualTo("EXISTS");
    assertThat(again.get("detail").asString()).startsWith("partitions: 2,");
    assertThat(text(AUDIT)).as("nothing was done").isEqualTo(audited);
  }

  @Test
  void withoutANameAllRoutesAreMeant() throws Exception {
    JsonNode parts = ApiServer.json(api.get("administrator", DECLARE)).get("parts");
    assertThat(parts.valueStream().map(each -> each.get("destination").asString()))
        .containsExactlyInAnyOrder("audit", "orders-{header.colour}");
  }

  @Test
  void whatFitsNoRouteOrNoBrokerIsRefused() throws Exception {
    for (Map<String, Object> wrong :
        List.of(
            body("audti"),
            body("audit", "partitions", 0),
            body("audit", "partitions", "many"),
            body("audit", "exchangeType", "topic"),
            body("audit", "exchangeType", "round"),
            body("audit", "queue", "q"),
            body("audit", "singleActiveConsumer", "true"))) {
      HttpResponse<String> answer = api.post("administrator", DECLARE, wrong);
      assertThat(answer.statusCode()).as(wrong + answer.body()).isEqualTo(400);
    }
    assertThat(api.post("administrator", DECLARE, body("audti")).body())
        .contains("did you mean 'audit'");
    assertThat(api.post("administrator", DECLARE, Map.of("destination", "audit")).body())
        .contains("reason must be given");
    for (String user : List.of("viewer", "operator")) {
      assertThat(api.get(user, DECLARE).statusCode()).as(user).isEqualTo(403);
      assertThat(api.post(user, DECLARE, body("audit")).statusCode()).as(user).isEqualTo(403);
    }
    assertThat(count("waybill_audit")).isZero();
  }

  @Tag("long")
  @Test
  void aBrokerThatIsAwayIsNoMissingTopic() throws Exception {
    Path away =
        Files.writeString(
            home().resolve("away.yaml"),
            yaml("postgres").replaceAll("\\[127.0.0.1:\\d+]", "[127.0.0.1:9]"));
    try (ApiServer other = ApiServer.start(away, users)) {
      HttpResponse<String> answer = other.post("administrator", DECLARE, body("audit"));
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
      assertThat(answer.body()).contains("Broker unavailable");
    }
    assertThat(text(AUDIT)).isEqualTo("DECLARE audit administrator ticket 7 f");
  }

  @Tag("long")
  @Test
  void theCommandTellsTheSameThroughTheApi() throws Exception {
    String[] plan = {"destinations", "declare", "orders-blue", "--json"};
    assertThat(url(plan).json()).isEqualTo(run(plan).json());
    String[] all = {"destinations", "declare"};
    assertThat(url(all).out()).isEqualTo(run(all).out());

    CommandRun done = url(with(plan, "--partitions", "3", "--yes", "--reason", "ticket 8"));
    assertThat(done.code()).as(done.toString()).isEqualTo(ExitCode.OK);
    assertThat(done.out()).contains("DECLARED", "partitions: 3");
    assertThat(text(AUDIT)).isEqualTo("DECLARE orders-blue administrator ticket 8 t");

    CommandRun stray = url("destinations", "declare", "audti");
    assertThat(stray.code()).as(stray.toString()).isEqualTo(ExitCode.USAGE);
    assertThat(stray.err()).contains("did you mean 'audit'");
  }

  @Test
  void deadEventsAreRemovedThroughTheApi() throws Exception {
    state("e3", "DEAD");
    String[] purge = {"events", "purge", "--state", "dead"};
    assertThat(url(purge).out()).isEqualTo(run(purge).out()).contains("Would remove 2");
    CommandRun done = url(with(purge, "--yes", "--reason", "ticket 9", "--json"));
    assertThat(done.code()).as(done.toString()).isEqualTo(ExitCode.OK);
    assertThat(done.json().get("removed").asInt()).isEqualTo(2);
    assertThat(text("select string_agg(event_id, ',' order by id) from waybill_outbox"))
        .isEqualTo("e1,e4");
    assertThat(url("events", "purge", "--state", "dead").code()).isEqualTo(ExitCode.FINDINGS);
  }
}
