package io.waybill.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.test.simple.SimpleTracer;
import io.waybill.admin.EventStatus;
import io.waybill.message.Event;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayEvent.BreakerState;
import io.waybill.observe.RelayListener;
import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Health, information, verbs, meters and traces of a running application. */
@Tag("server")
class WaybillEndpointTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final String BY_ANN = "{\"by\":\"ann\",\"reason\":\"test\"";
  // Names of destinations are listed in order, these after those of other tests.
  private static String held;
  private static String letters;
  private static String again;
  private static final Map<String, BreakerState> SEEN = new ConcurrentHashMap<>();

  private static ConfigurableApplicationContext context;
  private static Tables tables;

  private final HttpClient http = HttpClient.newHttpClient();

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    RelayListener breakers() {
      return event -> {
        if (event instanceof RelayEvent.BreakerChanged changed) {
          SEEN.put(changed.destination(), changed.state());
        }
      };
    }

    @Bean
    MeterRegistry registry() {
      return new SimpleMeterRegistry();
    }

    @Bean
    Tracer tracer() {
      return new SimpleTracer();
    }
  }

  @BeforeAll
  static void start() {
    tables = Tables.create();
    String topic = "orders-" + UUID.randomUUID();
    held = "t-held-" + UUID.randomUUID();
    letters = "t-dead-" + UUID.randomUUID();
    again = "t-again-" + UUID.randomUUID();
    Stream.of(topic, held, letters, again)
        .forEach(each -> TestServers.kafka().createTopic(each, 1, Map.of()));
    context =
        new SpringApplicationBuilder(Application.class)
            .bannerMode(Banner.Mode.OFF)
            .properties(
                "server.port=0",
                "spring.datasource.url=" + tables.url(),
                "spring.flyway.enabled=false",
                "spring.liquibase.enabled=false",
                "spring.jpa.open-in-view=false",
                "spring.kafka.bootstrap-servers=" + TestServers.kafka().bootstrapServers(),
                "waybill.outbox.name=orders",
                "waybill.relay.name=shop-1",
                "waybill.routes.types[order.placed].target=" + topic,
                "waybill.routes.types[order.park].target=" + held,
                "waybill.routes.types[order.skip].target=" + held,
                "waybill.routes.types[order.bury].target=" + held,
                "waybill.routes.types[order.retry].target=" + held,
                "waybill.routes.types[order.replay].target=" + again,
                "waybill.failure.destinations[" + held + "].policy=bury",
                "waybill.failure.destinations[" + held + "].dead-letter.target=" + letters,
                "waybill.retry.attempts=1",
                "waybill.limits.view-interval=100ms",
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.health.show-details=always",
                "management.endpoint.waybill.access=unrestricted",
                "management.health.rabbit.enabled=false")
            .run();
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  private static void append(String type, String id) {
    context
        .getBean(TransactionTemplate.class)
        .executeWithoutResult(
            status ->
                context
                    .getBean(SpringOutbox.class)
                    .append(Event.builder(type, "order", id).id(id).json("{}").build()));
  }

  private HttpResponse<String> send(HttpRequest.Builder request, String path) {
    return send(context, request, path);
  }

  private HttpResponse<String> send(
      ConfigurableApplicationContext asked, HttpRequest.Builder request, String path) {
    String port = asked.getEnvironment().getProperty("local.server.port");
    URI uri = URI.create("http://localhost:" + port + "/actuator/" + path);
    try {
      return http.send(request.uri(uri).build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private JsonNode get(String path) {
    return JSON.readTree(send(HttpRequest.newBuilder().GET(), path).body());
  }

  private HttpResponse<String> post(String path, String body) {
    return send(
        HttpRequest.newBuilder()
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)),
        path);
  }

  private static void await(java.util.concurrent.Callable<Boolean> condition) {
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(condition);
  }

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
  void healthFollowsTheRelay() {
    await(() -> get("health").at("/components/waybill/status").asString("").equals("UP"));
    assertThat(get("health").at("/components/waybill/details/relay").asString())
        .isEqualTo("shop-1");
  }

  @Test
  void healthSaysWhyTheRelayMakesNoProgress() {
    WaybillHealthIndicator down =
        new WaybillHealthIndicator("relay", "shop-1", () -> java.util.List.of("no broker"));

    assertThat(down.health().getStatus().getCode()).isEqualTo("DOWN");
    assertThat(down.health().getDetails()).containsEntry("reasons", java.util.List.of("no broker"));
  }

  @Test
  void infoNamesOutboxAndRelay() {
    assertThat(get("info").at("/waybill/outboxes/orders").asString()).isEqualTo("shop-1");
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
  void eventsAreListedByKeyAndPage() {
    append("order.paged", "page-1");
    append("order.paged", "page-2");
    await(() -> get("waybill/events?aggregateId=page-2").at("/events/0/lane").isNumber());

    assertThat(ids("aggregateType=order&aggregateId=page-1")).containsExactly("page-1");
    assertThat(ids("aggregateType=invoice&aggregateId=page-1")).isEmpty();
    JsonNode first = get("waybill/events?type=order.paged&limit=1").at("/events");
    assertThat(first).hasSize(1);
    String position = first.at("/0/position").asString();
    assertThat(ids("type=order.paged&after=" + position))
        .doesNotContain(first.at("/0/eventId").asString())
        .contains("page-2");
  }

  private List<String> ids(String query) {
    return get("waybill/events?" + query)
        .at("/events")
        .valueStream()
        .map(event -> event.at("/eventId").asString())
        .toList();
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
  void relaysAndLanesAreListed() {
    await(() -> get("waybill/relays").at("/relays/0/relay").asString("").equals("shop-1"));
    await(() -> get("waybill/lanes").at("/lanes/63/relay").asString("").equals("shop-1"));
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

  @Test
  void metersCountWhatIsPublished() {
    append("order.placed", "metered");
    await(
        () ->
            context
                    .getBean(MeterRegistry.class)
                    .find("waybill.events.published")
                    .tag("outbox", "orders")
                    .counter()
                != null);
  }

  @Test
  void anEventCarriesTheTraceOfItsWriter() {
    SimpleTracer tracer = (SimpleTracer) context.getBean(Tracer.class);
    var span = tracer.nextSpan().name("write").start();
    Tracer.SpanInScope scope = tracer.withSpan(span);
    try {
      append("order.unknown", "traced");
    } finally {
      scope.close();
      span.end();
    }
    assertThat(tables.texts("select traceparent from waybill_outbox where event_id = 'traced'"))
        .singleElement()
        .asString()
        .startsWith("00-")
        .contains(span.context().traceId())
        .contains(span.context().spanId());
  }
}
