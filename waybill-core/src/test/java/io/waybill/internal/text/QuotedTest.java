package io.waybill.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuotedTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "plain é | \"plain é\"",
        "say \"x\\y\" | \"say \\\"x\\\\y\\\"\"",
      })
  void showsText(String text, String shown) {
    assertThat(Quoted.of(text)).isEqualTo(shown);
  }

  @Test
  void escapesWhatTerminalsAndLogsActOn() {
    assertThat(Quoted.of("a\r\n\u001b[31m\u0000\u2028\u202e\ud800"))
        .isEqualTo("\"a\\u000d\\u000a\\u001b[31m\\u0000\\u2028\\u202e\\ud800\"");
  }

  @Test
  void shortens() {
    assertThat(Quoted.of("x".repeat(1_000)))
        .isEqualTo("\"" + "x".repeat(64) + "\"... (1000 characters)");
  }

  @Test
  void showsNothingAsNull() {
    assertThat(Quoted.of(null)).isEqualTo("null");
  }
}
