package io.waybill.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {
  static Stream<String> wellFormed() {
    return Stream.of(
        "{}",
        "null",
        " [ 1 ] \r\n",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "{\"b\":1.10,\"a\":1,\"a\":2}",
        "1e400000",
        "-" + "9".repeat(100_000),
        "\"😀é\"",
        "\"" + "x".repeat(500_000) + "\"",
        "{\"" + "n".repeat(100_000) + "\":1}",
        "[".repeat(1_000) + "]".repeat(1_000),
        IntStream.range(0, 1_000_000)
            .mapToObj(i -> "0")
            .collect(Collectors.joining(",", "[", "]")));
  }

  @ParameterizedTest
  @MethodSource
  void wellFormed(String json) {
    assertThat(JsonText.violation(json.getBytes(StandardCharsets.UTF_8))).isNull();
  }

  static Stream<byte[]> malformed() {
    return Stream.of(
        utf8(""),
        utf8("  "),
        utf8("{"),
        utf8("{}{}"),
        utf8("{} x"),
        utf8("NaN"),
        utf8("{'a':1}"),
        utf8("{\"a\":1,}"),
        utf8("// no\n1"),
        utf8("01"),
        utf8("\"\u0000\""),
        utf8("\ufeff{}"),
        utf8("[".repeat(1_001) + "]".repeat(1_001)),
        utf8("[".repeat(500_000)),
        "{}".getBytes(StandardCharsets.UTF_16LE),
        "{}".getBytes(StandardCharsets.UTF_16BE),
        "{}".getBytes(StandardCharsets.UTF_16),
        // Overlong slash, a surrogate, a lone continuation byte, a cut sequence.
        bytes('"', 0xc0, 0xaf, '"'),
        bytes('"', 0xed, 0xa0, 0x80, '"'),
        bytes('"', 0x80, '"'),
        bytes('"', 0xf0, 0x9f, 0x98, '"'),
        bytes('"', 0xe9, '"'));
  }

  @ParameterizedTest
  @MethodSource
  void malformed(byte[] json) {
    assertThat(JsonText.violation(json)).startsWith("must ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON",
        "text/json",
        "application/vnd.acme.v1+json",
        "application/problem+json;x=y"
      })
  void knowsJsonMediaTypes(String contentType) {
    assertThat(JsonText.isJson(contentType)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "text/plain", "application/jsonx", "application/octet-stream; +json"})
  void knowsOthers(String contentType) {
    assertThat(JsonText.isJson(contentType)).isFalse();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    IntStream.range(0, values.length).forEach(i -> bytes[i] = (byte) values[i]);
    return bytes;
  }
}
