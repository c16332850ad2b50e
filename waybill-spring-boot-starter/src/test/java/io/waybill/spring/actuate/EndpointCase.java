package io.waybill.spring.actuate;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.test.simple.SimpleTracer;
import io.waybill.message.Event;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayEvent.BreakerState;
import io.waybill.observe.RelayListener;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A running application whose endpoint is asked by HTTP. */
@Tag("server")
abstract class EndpointCase {
  static final JsonMapper JSON = JsonMapper.builder().build();
  // Names of destinations are listed in order, these after those of other tests.
  static String held;
  static String letters;
  static String again;
  static final Map<String, BreakerState> SEEN = new ConcurrentHashMap<>();
  static ConfigurableApplicationContext context;
  static Tables tables;
  final HttpClient http = HttpClient.newHttpClient();

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
                "management.health.rabbit.enabled=false")
            .run();
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  static void append(String type, String id) {
    context
        .getBean(TransactionTemplate.class)
        .executeWithoutResult(
            status ->
                context
                    .getBean(SpringOutbox.class)
                    .append(Event.builder(type, "order", id).id(id).json("{}").build()));
  }

  HttpResponse<String> send(HttpRequest.Builder request, String path) {
    return send(context, request, path);
  }

  HttpResponse<String> send(
      ConfigurableApplicationContext asked, HttpRequest.Builder request, String path) {
    String port = asked.getEnvironment().getProperty("local.server.port");
    URI uri = URI.create("http://localhost:" + port + "/actuator/" + path);
    try {
      return http.send(request.uri(uri).build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  JsonNode get(String path) {
    return JSON.readTree(send(HttpRequest.newBuilder().GET(), path).body());
  }

  static void await(java.util.concurrent.Callable<Boolean> condition) {
    Awaitility.await().atMost(Patience.of(Duration.ofSeconds(20))).until(condition);
  }
}
