package io.waybill.examples.polyshop;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.trace.OtlpReceiver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The program as {@code ./waybill example polyshop} runs it. */
class PolyShopExampleTest {
  private static final String[] CLEAN = {
    "payment-service (Node.js): each of ",
    "order-service (Java): each order is PAID",
    "inventory-service (Java): stock taken once for each line of each order",
    "analytics-service (Java): each piece counted once",
    "search-service (Java): each word of each title indexed once",
    "notification-service (Python): one confirmation and one receipt for each order",
    "mail server: no mail twice, none missing",
    "Kafka: each event of each outbox, and no other",
    "Kafka: keyed by user, product, order, payment, notification",
    "Kafka: the events of a product in the order of its stock",
    "envelopes: one trace for each order",
    "envelopes: one correlation for each order",
    "dead letters: the poison event once from each consumer, with its message",
    "dead letters: the same members whatever the language, the original as it was",
    "dead letters: the same headers whatever the language",
    "dead letters: dead-letters redrive finds the original, byte for byte"
  };

  private record Run(int code, String output) {}

  private static Run run(String... args) {
    Languages.assumeNode();
    Languages.assumePython();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      int code = new CommandLine(new PolyShopExample(out)).execute(args);
      return new Run(code, bytes.toString(StandardCharsets.UTF_8));
    }
  }

  @Tag("server")
  @Tag("long")
  @Test
  void everyServiceDoesItsPartOnceAndTheExportedSpansAreOneTraceForEachOrder() {
    Run run = run("--orders", "12");

    assertThat(run.output())
        .contains(CLEAN)
        .contains("each of 12 orders paid once", "12 of 12 traces are whole")
        .contains(
            """
              gateway: http post /{resource}
                gateway: POST /orders
                  order-service: http post /orders
                    order-service: append order.order.placed.v1
                      order-service: send order.order.placed.v1
                        analytics-service: process order.order.placed.v1
                        inventory-service: process order.order.placed.v1
            """
                .stripTrailing())
        .contains(
            "order-service: process payment.payment.succeeded.v1",
            "inventory-service: send inventory.stock.reserved.v1",
            "waybill-relay: send notification.email.sent.v1")
        .doesNotContain("NOT SO");
    assertThat(run.code()).as(run.output()).isZero();
  }

  @Tag("server")
  @Tag("long")
  @Test
  void nothingIsLostOrDoneTwiceWhileEveryProcessIsKilledOnce() {
    Run run = run("--orders", "1000", "--kill");

    assertThat(run.output()).contains(CLEAN).doesNotContain("NOT SO");
    assertThat(run.code()).as(run.output()).isZero();
  }

  @Tag("server")
  @Tag("long")
  @Test
  void spansGoToTheGivenReceiver() throws IOException {
    try (OtlpReceiver receiver = OtlpReceiver.start()) {
      String endpoint = receiver.endpoint();
      Run run = run("--orders", "3", "--otlp", endpoint);

      assertThat(run.code()).as(run.output()).isZero();
      assertThat(run.output()).contains("the spans went to " + endpoint + ", trace ");
      assertThat(run.output()).doesNotContain("the trace of one order");
      String output = run.output().strip();
      String traceId = output.substring(output.length() - 32);
      assertThat(TraceReport.of(List.of(traceId), receiver.spans()).broken()).isEmpty();
    }
  }

  @Test
  void aBadOptionIsNamedWithItsRuleAndValue() {
    StringWriter errors = new StringWriter();
    int code =
        new CommandLine(new PolyShopExample(System.out))
            .setErr(new PrintWriter(errors))
            .execute("--orders", "0");

    assertThat(code).isEqualTo(2);
    assertThat(errors.toString()).contains("--orders must be from 1 to 10000, but is 0");
  }
}
