package io.waybill.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Header;
import io.waybill.message.Headers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderJsonTest {
  @Test
  void readsWhatItWrote() {
    Headers headers =
        new Headers(
            List.of(
                new Header("tenant", "grüße 😀"),
                new Header("quoted", "\"\\/<>&'"),
                new Header("empty", "")));

    assertThat(HeaderJson.read(HeaderJson.write(headers)))
        .isEqualTo(new HeaderJson.Parsed.Valid(headers));
  }

  @Test
  void noHeadersAreNull() {
    assertThat(HeaderJson.write(Headers.NONE)).isNull();
    assertThat(HeaderJson.read(null)).isEqualTo(new HeaderJson.Parsed.Valid(Headers.NONE));
    assertThat(HeaderJson.read("{}")).isEqualTo(new HeaderJson.Parsed.Valid(Headers.NONE));
  }

  @Test
  void scalarsBecomeTheirText() {
    assertThat(HeaderJson.read("{\"a\":1.10,\"b\":true,\"c\":1e400000,\"d\":\"\"}"))
        .isEqualTo(
            new HeaderJson.Parsed.Valid(
                new Headers(
                    List.of(
                        new Header("a", "1.10"),
                        new Header("b", "true"),
                        new Header("c", "1e400000"),
                        new Header("d", "")))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[] | must be a JSON object",
        "\"x\" | must be a JSON object",
        "1 | must be a JSON object",
        "null | must be a JSON object",
        "{} {} | nothing after it",
        "{\"a\":null} | must have strings",
        "{\"a\":{}} | must have strings",
        "{\"a\":[1]} | must have strings",
        "{\"a\":1 | must be well-formed JSON",
        "{a:1} | must be well-formed JSON",
        "`` | must be a JSON object"
      })
  void saysWhatIsWrong(String text, String rule) {
    assertThat(HeaderJson.read(text))
        .isInstanceOfSatisfying(
            HeaderJson.Parsed.Malformed.class, bad -> assertThat(bad.rule()).contains(rule));
  }

  @ParameterizedTest
  @ValueSource(ints = {1_001, 100_000})
  void deepNestingIsMalformedAndNoStackOverflow(int depth) {
    assertThat(HeaderJson.read("{\"a\":" + "[".repeat(depth)))
        .isInstanceOf(HeaderJson.Parsed.Malformed.class);
  }

  @Test
  void hugeHeadersAreNotRead() {
    assertThat(HeaderJson.read("{\"a\":\"" + "x".repeat(1 << 20) + "\"}"))
        .isInstanceOf(HeaderJson.Parsed.Malformed.class);
  }
}
