package io.waybill.examples.polyglot;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.Interrupts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The program as {@code ./waybill example polyglot} runs it. */
class PolyglotExampleTest {
  @Tag("server")
  @Tag("long")
  @Test
  void everyCommittedPaymentAndEmailArrivesThroughTheStandaloneRelay() {
    Languages.assumeNode();
    Languages.assumePython();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int code;
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      code =
          new CommandLine(new PolyglotExample(out, new Interrupts()))
              .execute("--payments", "60", "--emails", "40");
    }
    String output = bytes.toString(StandardCharsets.UTF_8);

    assertThat(code).as(output).isZero();
    assertThat(output)
        .contains("payment-service: 54 payments succeeded, 6 declined")
        .contains("notification-service: 36 emails sent, 4 refused")
        .contains("from payment.payment.succeeded.v1: {\"eventId\":")
        .contains("from notification.email.sent.v1: {\"eventId\":")
        .contains(
            "payment-service: committed 54, delivered 54, lost 0, ghosts 0, duplicates 0",
            "notification-service: committed 36, delivered 36, lost 0, ghosts 0, duplicates 0");
  }

  @Test
  void aBadOptionIsNamedWithItsRuleAndValue() {
    StringWriter errors = new StringWriter();
    int code =
        new CommandLine(new PolyglotExample(System.out, new Interrupts()))
            .setErr(new PrintWriter(errors))
            .execute("--emails", "0");

    assertThat(code).isEqualTo(2);
    assertThat(errors.toString()).contains("--emails must be from 1 to 100000, but is 0");
  }
}
