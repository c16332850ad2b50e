package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * The questions of a night, with the faults alive. One command and one request answer each, within
 * five seconds.
 */
@Tag("long")
class OnCallTest extends FaultsAlive {
  private static final Duration SOON = Duration.ofSeconds(5);

  private static void answered(
      String line,
      String path,
      Function<JsonNode, Object> ofCommand,
      Function<JsonNode, Object> ofApi,
      Object answer)
      throws Exception {
    long began = System.nanoTime();
    CommandRun run = command((line + " --json").split(" "));
    Duration commandTook = Duration.ofNanos(System.nanoTime() - began);
    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(ofCommand.apply(run.json())).as(line).isEqualTo(answer);
    long asked = System.nanoTime();
    HttpResponse<String> response = api.get("viewer", "/outboxes/orders" + path);
    Duration requestTook = Duration.ofNanos(System.nanoTime() - asked);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(ofApi.apply(ApiServer.json(response))).as(path).isEqualTo(answer);
    assertThat(commandTook).as(line).isLessThan(Patience.of(SOON));
    assertThat(requestTook).as(path).isLessThan(Patience.of(SOON));
  }

  private static JsonNode item(JsonNode list, String member, String value) {
    return list.valueStream()
        .filter(each -> each.path(member).asString("").equals(value))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no %s %s in %s".formatted(member, value, list)));
  }

  @Test
  void howManyEventsWaitOfAType() throws Exception {
    answered(
        "events count --state pending --type lost",
        "/events/count?state=pending&type=lost",
        json -> json.get("count").asInt(),
        json -> json.get("count").asInt(),
        20);
  }

  @Test
  void whichKeyIsBlockedByWhichEventAndHowManyAreBehind() throws Exception {
    answered(
        "keys blocked",
        "/keys/blocked",
        json -> item(json, "key", "order/p1").get("behind").asInt(),
        json ->
            json.get("items")
                .valueStream()
                .filter(key -> key.get("head").get("eventId").asString().equals("placed-1"))
                .findFirst()
                .orElseThrow()
                .get("behind")
                .get("count")
                .asInt(),
        3);
  }

  @Test
  void whyAnEventWaits() throws Exception {
    answered(
        "events show lost-1",
        "/event?id=lost-1",
        json -> json.get("waits").asString().contains("destination nowhere takes no events"),
        // It does not know the routes.
        json ->
            json.get("waits").asString().endsWith("take no events or are paused: audit, nowhere"),
        true);
    answered(
        "events show audited-1",
        "/event?id=audited-1",
        json -> json.get("waits").asString().startsWith("audit is paused since"),
        json -> json.get("waits").asString().contains("audit, nowhere"),
        true);
  }

  @Test
  void whichDestinationsTakeEvents() throws Exception {
    Function<JsonNode, Object> both =
        list ->
            item(list, "destination", "nowhere").get("failure").asString()
                + ", "
                + item(list, "destination", "audit").get("reason").asString();
    answered(
        "destinations list",
        "/destinations",
        both,
        json -> both.apply(json.get("items")),
        "topic-missing, ticket 7");
  }

  @Test
  void whatTheParkedEventsAre() throws Exception {
    // One of them is skipped by another question.
    answered(
        "failures list --state parked",
        "/failures?state=parked",
        json -> item(json, "eventType", "strayed").get("count").asInt() >= 29,
        json ->
            json.get("items")
                .valueStream()
                .filter(group -> group.get("sample").get("eventType").asString().equals("strayed"))
                .anyMatch(group -> group.get("events").get("count").asInt() >= 29),
        true);
  }

  @Test
  void whoDidWhatTonight() throws Exception {
    Function<JsonNode, Object> who = list -> item(list, "verb", "PAUSE").get("reason").asString();
    answered("audit", "/audit", who, json -> who.apply(json.get("items")), "ticket 7");
  }

  @Test
  void whichRelayRunsWhichConfigurationAndOwnsWhat() throws Exception {
    Function<JsonNode, Object> configuration =
        list -> !item(list, "relay", "relay-1-orders").get("configuration").asString().isEmpty();
    answered(
        "relays", "/relays", configuration, json -> configuration.apply(json.get("items")), true);
    assertThat(ApiServer.json(api.get("viewer", "/outboxes/orders/lanes")).get("items"))
        .hasSize(64);
  }

  /** That it succeeded, what was said before, and how many dead ones there are. */
  @Test
  void whatBecameOfARequestAndWhatWasWrongBefore() throws Exception {
    CommandRun skip =
        command(
            "events",
            "skip",
            "strayed-30",
            "--yes",
            "--reason",
            "test order",
            "--wait=30s",
            "--json");
    assertThat(skip.code()).as(skip.out()).isEqualTo(ExitCode.OK);
    Function<JsonNode, Object> entry =
        list -> {
          JsonNode found = item(list, "eventId", "strayed-30");
          return !found.get("completedAt").isNull()
              && !found.get("earlierReason").asString("").isEmpty();
        };
    answered("audit", "/audit", entry, json -> entry.apply(json.get("items")), true);
    answered(
        "events count --state dead",
        "/events/count?state=dead",
        json -> json.get("count").asInt(),
        json -> json.get("count").asInt(),
        1);
  }
}
