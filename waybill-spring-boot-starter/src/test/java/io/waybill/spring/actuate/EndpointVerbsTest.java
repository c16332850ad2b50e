package io.waybill.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.admin.EventStatus;
import io.waybill.observe.RelayEvent.BreakerState;
import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.spring.TestServers;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.Banner;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

/** What operators ask a running application to do. */
class EndpointVerbsTest extends EndpointCase {
  @Test
  void changesAreClosedUnlessTheyAreOpened() {
    try (ConfigurableApplicationContext usual =
        new SpringApplicationBuilder(Application.class)
            .bannerMode(Banner.Mode.OFF)
            .properties(
                "server.port=0",
                "spring.datasource.url=" + tables.url(),
                "spring.flyway.enabled=false",
                "spring.liquibase.enabled=false",
                "spring.jpa.open-in-view=false",
                "waybill.relay.enabled=false",
                "management.endpoints.web.exposure.include=waybill")
            .run()) {
      HttpRequest.Builder change =
          HttpRequest.newBuilder()
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(BY_ANN + ",\"destination\":\"x\"}"));

      assertThat(send(usual, change, "waybill/pause").statusCode()).isEqualTo(405);
      assertThat(send(usual, HttpRequest.newBuilder().GET(), "waybill").statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void anEventWithoutARouteIsSeenParkedAndSkipped() {
    String parkedOnes = "waybill/events?status=PARKED&type=order.lost";
    append("order.lost", "lost-1");
    await(() -> get(parkedOnes).at("/events/0/eventId").asString("").equals("lost-1"));

    JsonNode parked = get(parkedOnes);
    assertThat(get("waybill").at("/counts/parked").asLong()).isPositive();
    assertThat(parked.toString()).contains("no-route").doesNotContain("payload\":");
    assertThat(get("waybill/events/lost-1").at("/event/status").asString()).isEqualTo("PARKED");

    String body = "{\"by\":\"ann\",\"reason\":\"test\",\"eventIds\":\"lost-1,lost-2\"";
    assertThat(post("waybill/skip", body + ",\"dryRun\":true}").body()).contains("\"events\":1");
    assertThat(post("waybill/skip", body + "}").body()).contains("\"requests\":1");
    await(() -> get("waybill/events/lost-1").at("/event/status").asString("").equals("DEAD"));
    assertThat(get("waybill/audit").at("/audit/0/requestedBy").asString()).isEqualTo("ann");
  }

  @Test
  void aDestinationIsPausedAndResumed() {
    String body = "{\"by\":\"ann\",\"reason\":\"test\",\"destination\":\"elsewhere\"}";
    assertThat(post("waybill/pause", body).body()).contains("\"paused\":true");
    assertThat(get("waybill/destinations").at("/destinations/0/paused").asBoolean()).isTrue();
    assertThat(post("waybill/resume", body).body()).contains("\"paused\":false");
  }

  /** Pauses a destination, or resumes it, and waits until the relay has seen it. */
  private void pause(String destination, boolean paused) {
    String body = BY_ANN + ",\"destination\":\"" + destination + "\"}";
    assertThat(post("waybill/" + (paused ? "pause" : "resume"), body).body())
        .contains("\"paused\":" + paused);
    await(() -> (SEEN.get(destination) == BreakerState.PAUSED) == paused);
  }

  private void ask(String verb, String which) {
    assertThat(post("waybill/" + verb, BY_ANN + "," + which + "}").body())
        .as(verb)
        .contains("\"requests\":1");
  }

  private static void awaitStatus(String id, EventStatus status) {
    String query = "select status from waybill_outbox_status where event_id = '" + id + "'";
    await(() -> tables.texts(query).equals(List.of(status.name())));
  }

  private static String id(String event) {
    return "\"eventIds\":\"" + event + "\"";
  }

  /** Of two events of the type only the one in the status is meant. */
  @ParameterizedTest
  @CsvSource({
    "park,  PENDING, PARKED",
    "retry, PARKED,  PENDING",
    "skip,  PARKED,  DEAD",
    "bury,  PARKED,  DEAD"
  })
  void aVerbIsCarriedOutOnTheEventsOfATypeInAStatus(
      String verb, EventStatus before, EventStatus after) {
    pause(held, true);
    String type = "order." + verb;
    String parked = verb + "-parked";
    String pending = verb + "-pending";
    append(type, parked);
    append(type, pending);
    ask("park", id(parked));
    awaitStatus(parked, EventStatus.PARKED);
    awaitStatus(pending, EventStatus.PENDING);
    String meant = before == EventStatus.PARKED ? parked : pending;
    String other = meant.equals(parked) ? pending : parked;

    ask(verb, "\"type\":\"" + type + "\",\"status\":\"" + before + "\"");

    awaitStatus(meant, after);
    awaitStatus(other, other.equals(parked) ? EventStatus.PARKED : EventStatus.PENDING);
    awaitDone(verb, meant);
  }

  private static void awaitDone(String verb, String id) {
    String last =
        "select verb || ' ' || done from waybill_audit where event_id = '"
            + id
            + "' order by id desc limit 1";
    await(() -> tables.texts(last).equals(List.of(verb.toUpperCase(Locale.ROOT) + " true")));
  }

  @Test
  void aBuriedEventHasACopyWhereDeadLettersGoAndASkippedOneHasNone() {
    pause(held, true);
    append("order.bury", "skipped");
    append("order.bury", "buried");
    ask("skip", id("skipped"));
    awaitStatus("skipped", EventStatus.DEAD);
    ask("bury", id("buried"));
    awaitStatus("buried", EventStatus.DEAD);

    assertThat(arrived(letters, "buried")).extracting(KafkaMessage::key).doesNotContain("skipped");
  }

  @Test
  void aDeadEventIsReplayedWithAMark() {
    pause(again, true);
    append("order.replay", "once-more");
    append("order.replay", "meanwhile");
    ask("skip", id("once-more"));
    awaitStatus("once-more", EventStatus.DEAD);
    pause(again, false);
    assertThat(arrived(again, "meanwhile")).extracting(KafkaMessage::key).contains("meanwhile");

    ask("replay", id("once-more"));

    assertThat(arrived(again, "once-more").get(1).headers())
        .containsEntry("waybill-replay", "true");
    awaitDone("replay", "once-more");
    awaitStatus("once-more", EventStatus.DEAD);
  }

  /** A topic's messages, when one of an event is among them; keys are as the ids of events. */
  private static List<KafkaMessage> arrived(String topic, String key) {
    try (KafkaTail tail = new KafkaTail(TestServers.kafka().bootstrapServers(), List.of(topic))) {
      await(() -> tail.messages().stream().anyMatch(message -> key.equals(message.key())));
      return tail.messages();
    }
  }

  @Test
  void whatIsNotToBeDoneIsRefused() {
    String instruction = "{\"by\":\"ann\",\"reason\":\"test\"";
    assertThat(post("waybill/retry", instruction + "}").statusCode()).isEqualTo(400);
    assertThat(post("waybill/pause", instruction + "}").statusCode()).isEqualTo(400);
    assertThat(post("waybill/drop", instruction + ",\"type\":\"a\"}").statusCode()).isEqualTo(400);
    assertThat(
            post("waybill/retry", "{\"by\":\" \",\"reason\":\"test\",\"type\":\"a\"}").statusCode())
        .isEqualTo(400);
    assertThat(send(HttpRequest.newBuilder().GET(), "waybill/secrets").statusCode()).isEqualTo(400);
    assertThat(send(HttpRequest.newBuilder().GET(), "waybill/events?limit=5000").statusCode())
        .isEqualTo(400);
    assertThat(send(HttpRequest.newBuilder().GET(), "waybill/events/none").statusCode())
        .isEqualTo(404);
  }
}
