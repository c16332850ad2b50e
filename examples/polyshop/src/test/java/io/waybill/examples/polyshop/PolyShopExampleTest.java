package io.waybill.examples.polyshop;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.Interrupts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The program as {@code ./waybill example polyshop} runs it. */
class PolyShopExampleTest {
  @Tag("server")
  @Test
  void everyCommittedOrderArrives() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int code;
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      PolyShopExample example =
          new PolyShopExample(out, new Interrupts(), Map.of("BATCH_SIZE", "10"));
      code = new CommandLine(example).execute("--orders", "200");
    }
    String output = bytes.toString(StandardCharsets.UTF_8);

    assertThat(code).as(output).isZero();
    assertThat(output)
        .contains("180 orders created, 20 requests refused")
        .contains("items[0].quantity", "must be a whole number from 1 to 1000")
        .contains("an event: {\"eventId\":")
        .contains("committed 180, delivered 180, lost 0, ghosts 0, duplicates 0");
  }

  @ParameterizedTest
  @CsvSource({
    "--orders, 0, 100, '--orders must be from 1 to 100000, but is 0'",
    "--orders, 5, none, 'BATCH_SIZE must be a whole number from 1 to 8000, but is ''none'''"
  })
  void badOptionsAndVariablesAreNamedWithRuleAndValue(
      String option, String value, String batchSize, String message) {
    StringWriter errors = new StringWriter();
    PolyShopExample example =
        new PolyShopExample(System.out, new Interrupts(), Map.of("BATCH_SIZE", batchSize));
    int code = new CommandLine(example).setErr(new PrintWriter(errors)).execute(option, value);

    assertThat(code).isEqualTo(2);
    assertThat(errors.toString()).contains(message);
  }
}
