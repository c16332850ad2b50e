package io.waybill.examples.services.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.examples.services.ServiceClient;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.testkit.Patience;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.stream.binding.BindingService;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The wallet's events on their way through Spring Cloud Stream, on real servers. */
@Tag("server")
@Tag("long")
class WalletStreamTest {
  private static final List<String> BINDINGS =
      List.of(
          "WalletCreatedEvent-out-0",
          "FundsAddedEvent-out-0",
          "FundsWithdrawnEvent-out-0",
          "FundsTransferredEvent-out-0");

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private PostgresServer postgres;
  private KafkaServer kafka;

  @BeforeEach
  void start() {
    postgres = PostgresServer.launch();
    postgres.createDatabase("wallet");
    kafka = KafkaServer.launch();
    BINDINGS.forEach(
        topic -> {
          kafka.createTopic(topic, 1, Map.of());
          kafka.createTopic(topic + ".dlt", 1, Map.of());
        });
  }

  @AfterEach
  void stop() {
    kafka.close();
    postgres.close();
  }

  private ConfigurableApplicationContext run() {
    return new SpringApplicationBuilder(WalletApplication.class)
        .properties("spring.config.name=wallet")
        .web(WebApplicationType.SERVLET)
        .bannerMode(Banner.Mode.OFF)
        .run(
            "--server.port=0",
            "--spring.datasource.url=" + postgres.jdbcUrl("wallet"),
            "--spring.kafka.bootstrap-servers=" + kafka.bootstrapServers());
  }

  /** The ids of two wallets, and requests on all four routes. */
  private static List<String> useAll(ServiceClient client) throws Exception {
    String from = post(client, 201, "/wallets", "{\"owner\": \"Ada\"}").path("id").asString();
    String to = post(client, 201, "/wallets", "{\"owner\": \"Bob\"}").path("id").asString();
    String wallet = "/wallets/" + from;
    assertThat(post(client, 200, wallet + "/funds", "{\"cents\": 500}"))
        .isEqualTo(balance(from, 500));
    assertThat(post(client, 200, wallet + "/withdrawals", "{\"cents\": 100}"))
        .isEqualTo(balance(from, 400));
    String transfer = "{\"to\": \"%s\", \"cents\": 150}".formatted(to);
    assertThat(post(client, 200, wallet + "/transfers", transfer)).isEqualTo(balance(from, 250));
    return List.of(from, to);
  }

  private static JsonNode balance(String id, int cents) {
    return JSON.readTree(
        "{\"id\": \"%s\", \"owner\": \"Ada\", \"cents\": %d}".formatted(id, cents));
  }

  private static JsonNode post(ServiceClient client, int status, String path, String json)
      throws Exception {
    HttpResponse<String> answer =
        client.post(path, json, "traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return JSON.readTree(answer.body());
  }

  @Test
  void eachRoutesEventGoesThroughItsBindingIntoItsTopicAndKeepsItsTrace() throws Exception {
    try (ConfigurableApplicationContext service = run();
        KafkaTail tail = new KafkaTail(kafka.bootstrapServers(), BINDINGS)) {
      List<String> ids = useAll(ServiceClient.of(service));
      String from = ids.get(0);
      String to = ids.get(1);

      OutboxService outbox = service.getBean(OutboxService.class);
      JdbcClient jdbc = service.getBean(JdbcClient.class);
      await()
          .atMost(Patience.of(Duration.ofMinutes(1)))
          .untilAsserted(
              () -> {
                assertThat(tail.messages()).hasSize(5);
                assertThat(outbox.getUnsentEvents()).isEmpty();
                assertThat(jdbc.sql("select what from statement_line").query(String.class).list())
                    .hasSize(5);
              });

      assertThat(service.getBean(BindingService.class).getProducerBindingNames())
          .containsExactlyInAnyOrderElementsOf(BINDINGS);
      assertThat(tail.messages())
          .extracting(message -> message.topic() + " " + JSON.readTree(message.value()))
          .containsExactlyInAnyOrder(
              "WalletCreatedEvent-out-0 {\"walletId\":\"%s\",\"owner\":\"Ada\"}".formatted(from),
              "WalletCreatedEvent-out-0 {\"walletId\":\"%s\",\"owner\":\"Bob\"}".formatted(to),
              "FundsAddedEvent-out-0 {\"walletId\":\"%s\",\"cents\":500}".formatted(from),
              "FundsWithdrawnEvent-out-0 {\"walletId\":\"%s\",\"cents\":100}".formatted(from),
              "FundsTransferredEvent-out-0 {\"walletId\":\"%s\",\"toWalletId\":\"%s\",\"cents\":150}"
                  .formatted(from, to));
      assertThat(tail.messages())
          .extracting(message -> message.headers().get("traceparent"))
          .allSatisfy(traceparent -> assertThat(traceparent).contains(TRACE));
      assertThat(ServiceClient.of(service).get("/actuator/metrics").body())
          .contains(
              "wallet.outbox.queue.size",
              "waybill.latency.creation.to.read",
              "waybill.latency.read.to.confirm",
              "waybill.events.published",
              "waybill.oldest.unpublished.age");
      assertThat(ServiceClient.of(service).get("/actuator/waybill").body()).contains("\"outbox\"");
    }
  }
}
