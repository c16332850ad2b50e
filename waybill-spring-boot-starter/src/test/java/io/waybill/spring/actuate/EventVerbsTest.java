package io.waybill.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.Instruction;
import io.waybill.database.ConnectionFactory;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.observe.RelayEvent.BreakerState;
import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.spring.TestServers;
import io.waybill.store.OperatorRequest.Verb;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What operators ask for, and a running application does. */
class EventVerbsTest extends EndpointCase {
  private static final Instruction BY_ANN = new Instruction("ann", "test");

  private static Admin admin() {
    return PostgresOutbox.of(
            ConnectionFactory.postgres(tables.url(), new Properties()),
            PostgresOptions.ofDefaults())
        .admin();
  }

  @Test
  void theEndpointTakesNoChanges() {
    HttpRequest.Builder change =
        HttpRequest.newBuilder()
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"reason\":\"test\"}"));
    assertThat(send(change, "waybill/pause").statusCode()).isEqualTo(405);
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

    ask(Verb.SKIP, ids("lost-1", "lost-2"));
    await(() -> get("waybill/events/lost-1").at("/event/status").asString("").equals("DEAD"));
    assertThat(get("waybill/audit").at("/audit/0/requestedBy").asString()).isEqualTo("ann");
  }

  @Test
  void aDestinationIsPausedAndResumed() {
    set("elsewhere", true);
    assertThat(get("waybill/destinations").at("/destinations/0/paused").asBoolean()).isTrue();
    set("elsewhere", false);
    assertThat(get("waybill/destinations").at("/destinations/0/paused").asBoolean()).isFalse();
  }

  private static void set(String destination, boolean paused) {
    try (Admin admin = admin()) {
      admin.pause(destination, paused, BY_ANN);
    }
  }

  /** Pauses a destination, or resumes it, and waits until the relay has seen it. */
  private static void pause(String destination, boolean paused) {
    set(destination, paused);
    await(() -> (SEEN.get(destination) == BreakerState.PAUSED) == paused);
  }

  private static void ask(Verb verb, EventFilter which) {
    try (Admin admin = admin()) {
      assertThat(admin.request(verb, which, 10, BY_ANN)).as("%s", verb).isEqualTo(1);
    }
  }

  private static void awaitStatus(String id, EventStatus status) {
    String query = "select status from waybill_outbox_status where event_id = '" + id + "'";
    await(() -> tables.texts(query).equals(List.of(status.name())));
  }

  private static EventFilter ids(String... events) {
    return EventFilter.ids(List.of(events));
  }

  /** Of two events of the type only the one in the status is meant. */
  @ParameterizedTest
  @CsvSource({
    "PARK,  PENDING, PARKED",
    "RETRY, PARKED,  PENDING",
    "SKIP,  PARKED,  DEAD",
    "BURY,  PARKED,  DEAD"
  })
  void aVerbIsCarriedOutOnTheEventsOfATypeInAStatus(
      Verb verb, EventStatus before, EventStatus after) {
    pause(held, true);
    String type = "order." + verb.name().toLowerCase(Locale.ROOT);
    String parked = verb + "-parked";
    String pending = verb + "-pending";
    append(type, parked);
    append(type, pending);
    ask(Verb.PARK, ids(parked));
    awaitStatus(parked, EventStatus.PARKED);
    awaitStatus(pending, EventStatus.PENDING);
    String meant = before == EventStatus.PARKED ? parked : pending;
    String other = meant.equals(parked) ? pending : parked;

    ask(verb, new EventFilter(List.of(), before, type, null, null));

    awaitStatus(meant, after);
    awaitStatus(other, other.equals(parked) ? EventStatus.PARKED : EventStatus.PENDING);
    awaitDone(verb, meant);
  }

  private static void awaitDone(Verb verb, String id) {
    String last =
        "select verb || ' ' || done from waybill_audit where event_id = '"
            + id
            + "' order by id desc limit 1";
    await(() -> tables.texts(last).equals(List.of(verb + " true")));
  }

  @Test
  void aBuriedEventHasACopyWhereDeadLettersGoAndASkippedOneHasNone() {
    pause(held, true);
    append("order.bury", "skipped");
    append("order.bury", "buried");
    ask(Verb.SKIP, ids("skipped"));
    awaitStatus("skipped", EventStatus.DEAD);
    ask(Verb.BURY, ids("buried"));
    awaitStatus("buried", EventStatus.DEAD);

    assertThat(arrived(letters, "buried")).extracting(KafkaMessage::key).doesNotContain("skipped");
  }

  @Test
  void aDeadEventIsReplayedWithAMark() {
    pause(again, true);
    append("order.replay", "once-more");
    append("order.replay", "meanwhile");
    ask(Verb.SKIP, ids("once-more"));
    awaitStatus("once-more", EventStatus.DEAD);
    pause(again, false);
    assertThat(arrived(again, "meanwhile")).extracting(KafkaMessage::key).contains("meanwhile");

    ask(Verb.REPLAY, ids("once-more"));

    assertThat(arrived(again, "once-more").get(1).headers())
        .containsEntry("waybill-replay", "true");
    awaitDone(Verb.REPLAY, "once-more");
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
  void whatThereIsNotIsRefused() {
    assertThat(send(HttpRequest.newBuilder().GET(), "waybill/secrets").statusCode()).isEqualTo(400);
    assertThat(send(HttpRequest.newBuilder().GET(), "waybill/events?limit=5000").statusCode())
        .isEqualTo(400);
    assertThat(send(HttpRequest.newBuilder().GET(), "waybill/events/none").statusCode())
        .isEqualTo(404);
  }
}
