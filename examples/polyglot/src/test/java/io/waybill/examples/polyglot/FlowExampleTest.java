package io.waybill.examples.polyglot;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.Interrupts;
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

/** The program as {@code ./waybill example polyglot flow} runs it. */
class FlowExampleTest {
  @Tag("server")
  @Test
  void everyServiceDoesItsPartOnceAndTheExportedSpansAreOneTraceForEachOrder() {
    Languages.assumeNode();
    Languages.assumePython();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int code;
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      code = new CommandLine(new FlowExample(out)).execute("--orders", "12");
    }
    String output = bytes.toString(StandardCharsets.UTF_8);

    assertThat(output)
        .contains(
            "payment-service (Node.js): each of 12 orders paid once",
            "inventory-service (Java): stock taken once for each line of each order",
            "analytics-service (Java): each piece counted once",
            "notification-service (Python): one confirmation and one receipt for each order",
            "mail server: no mail twice, none missing",
            "dead letters: the poison event once from each consumer, and nothing else",
            "dead letters: the same members whatever the language, the original as it was",
            "dead letters: the same headers whatever the language",
            "dead letters: dead-letters redrive finds the original, byte for byte",
            "12 of 12 traces are whole")
        .contains(
            """
              gateway: POST /orders
                order-service: POST /orders
                  order-service: append order.order.placed.v1
                    order-service: send order.order.placed.v1
                      analytics-service: process order.order.placed.v1
                      inventory-service: process order.order.placed.v1
                      notification-service: process order.order.placed.v1
                        waybill-relay: send notification.email.sent.v1
                      payment-service: process order.order.placed.v1
                        waybill-relay: send payment.payment.succeeded.v1
                          notification-service: process payment.payment.succeeded.v1
                            waybill-relay: send notification.email.sent.v1
            """
                .stripTrailing())
        .doesNotContain("NOT SO");
    assertThat(code).as(output).isZero();
  }

  @Tag("server")
  @Tag("long")
  @Test
  void spansGoToTheGivenReceiver() throws IOException {
    Languages.assumeNode();
    Languages.assumePython();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OtlpReceiver receiver = OtlpReceiver.start();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      String endpoint = receiver.endpoint();
      int code = new CommandLine(new FlowExample(out)).execute("--orders", "3", "--otlp", endpoint);
      String output = bytes.toString(StandardCharsets.UTF_8);

      assertThat(code).as(output).isZero();
      assertThat(output).contains("the spans went to " + endpoint + ", trace ");
      assertThat(output).doesNotContain("the trace of one order");
      String traceId = output.strip().substring(output.strip().length() - 32);
      assertThat(TraceReport.of(List.of(traceId), receiver.spans()).broken()).isZero();
    }
  }

  @Test
  void aBadOptionIsNamedWithItsRuleAndValue() {
    StringWriter errors = new StringWriter();
    int code =
        new CommandLine(new PolyglotExample(System.out, new Interrupts()))
            .setErr(new PrintWriter(errors))
            .execute("flow", "--orders", "0");

    assertThat(code).isEqualTo(2);
    assertThat(errors.toString()).contains("--orders must be from 1 to 10000, but is 0");
  }
}
