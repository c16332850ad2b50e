package io.waybill.examples.services.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.waybill.testkit.KafkaMessage;
import io.waybill.testkit.KafkaServer;
import io.waybill.testkit.KafkaTail;
import io.waybill.testkit.PostgresServer;
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
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .run(
            "--spring.datasource.url=" + postgres.jdbcUrl("wallet"),
            "--spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
            "--management.tracing.export.enabled=false");
  }

  private static void useAll(Wallets wallets) {
    String from = wallets.create("Ada").id();
    String to = wallets.create("Bob").id();
    wallets.addFunds(from, 500);
    wallets.withdraw(from, 100);
    wallets.transfer(from, to, 150);
  }

  @Test
  void eachEventGoesThroughItsBindingIntoItsTopicAndKeepsItsTrace() {
    try (ConfigurableApplicationContext service = run();
        KafkaTail tail = new KafkaTail(kafka.bootstrapServers(), BINDINGS)) {
      Tracer tracer = service.getBean(Tracer.class);
      Span span = tracer.nextSpan().name("request").start();
      try (Tracer.SpanInScope scope = tracer.withSpan(span)) {
        assertThat(scope).isNotNull();
        useAll(service.getBean(Wallets.class));
      } finally {
        span.end();
      }

      OutboxService outbox = service.getBean(OutboxService.class);
      JdbcClient jdbc = service.getBean(JdbcClient.class);
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> {
                assertThat(tail.messages()).hasSize(5);
                assertThat(outbox.getUnsentEvents()).isEmpty();
                assertThat(jdbc.sql("select what from statement_line").query(String.class).list())
                    .hasSize(5);
              });

      assertThat(service.getBean(BindingService.class).getProducerBindingNames())
          .containsExactlyInAnyOrderElementsOf(BINDINGS);
      assertThat(tail.messages()).extracting(KafkaMessage::topic).hasSameElementsAs(BINDINGS);
      assertThat(tail.messages())
          .extracting(message -> message.headers().get("traceparent"))
          .allSatisfy(traceparent -> assertThat(traceparent).contains(span.context().traceId()));
    }
  }
}
