package io.waybill.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.test.simple.SimpleTracer;
import io.waybill.message.Event;
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
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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

  private static ConfigurableApplicationContext context;
  private static Tables tables;

  private final HttpClient http = HttpClient.newHttpClient();

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
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
    TestServers.kafka().createTopic(topic, 1, Map.of());
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
                "waybill.retry.attempts=1",
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.health.show-details=always",
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
    String port = context.getEnvironment().getProperty("local.server.port");
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
    assertThat(get("info").at("/waybill/outbox").asString()).isEqualTo("orders");
    assertThat(get("info").at("/waybill/relay").asString()).isEqualTo("shop-1");
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
