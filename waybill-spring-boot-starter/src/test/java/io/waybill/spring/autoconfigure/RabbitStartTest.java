package io.waybill.spring.autoconfigure;

import static io.waybill.spring.autoconfigure.StartReport.assertReport;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.server.FreePort;
import io.waybill.spring.Tables;
import io.waybill.testkit.Patience;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** What a start says about RabbitMQ: one report, without a stack trace. */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class RabbitStartTest {
  private static final String ROUTE = "waybill.routes.default.routing-key=orders";
  private static final String APPLY = "waybill.schema.mode=apply";

  @Test
  void noRouteAtAll(CapturedOutput output) {
    assertReport(
        output,
        new String[] {"spring.rabbitmq.host=localhost", APPLY},
        "waybill.routes.default.target must be given",
        "the RabbitMQ exchange, with waybill.routes.default.routing-key");
  }

  @Test
  void aRouteWithoutExchangeAndRoutingKey(CapturedOutput output) {
    assertReport(
        output,
        new String[] {
          "spring.rabbitmq.host=localhost", APPLY, "waybill.routes.types[order.placed].format=raw"
        },
        "waybill.routes.types[order.placed].target must be given, or routing-key for the default"
            + " exchange");
  }

  @Test
  void aRouteForKafka(CapturedOutput output) {
    assertReport(
        output,
        new String[] {
          "spring.rabbitmq.host=localhost",
          APPLY,
          ROUTE,
          "waybill.routes.default.partition=3",
          "waybill.routes.default.timestamp=created"
        },
        "waybill.routes.default.partition is for Kafka, but is '3'",
        "waybill.routes.default.timestamp is for Kafka, but is 'created'");
  }

  /** The application starts: the broker may come up later. */
  private static void assertToldOnce(CapturedOutput output, String address, String reason) {
    try (ConfigurableApplicationContext context =
        SmallApplication.run(
            Tables.create().url(), "spring.rabbitmq.addresses=" + address, ROUTE)) {
      assertThat(context.isRunning()).isTrue();
      String told = "cannot check the broker at [" + address + "]: ";
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(60)))
          .until(() -> output.getAll().contains("the relay starts nevertheless"));
      assertThat(output.getAll())
          .containsOnlyOnce(told)
          .contains(reason, "start the broker, or correct address and credentials")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void aBrokerThatDoesNotAnswer(CapturedOutput output) {
    assertToldOnce(output, "127.0.0.1:" + FreePort.find(), "refused");
  }

  @Test
  void aHostThatDoesNotResolve(CapturedOutput output) {
    assertToldOnce(output, "no-such-host.invalid:5672", "no-such-host.invalid");
  }
}
