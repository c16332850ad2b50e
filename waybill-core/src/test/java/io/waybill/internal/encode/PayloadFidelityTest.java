package io.waybill.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.waybill.Rows;
import io.waybill.broker.Outgoing;
import io.waybill.encode.Format;
import io.waybill.message.Destination;
import io.waybill.message.Headers;
import io.waybill.message.Transport;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every payload of the bad-input catalogue, in every format: byte for byte, or a clear no. */
class PayloadFidelityTest {
  private static final List<byte[]> JSON =
      Stream.of(
              "{\"a\":\"\\u0000\"}",
              "{\"a\":\"\\ud800\"}",
              "{\"b\":1,\"a\":1.10,\"a\":2}",
              "[1e400000,-0,1E+2,100000000000000000000000000000001]",
              " {\"a\" : \"😀é\\/\" }\r\n",
              "\"<script>alert('x')</script> =cmd|' /C calc'!A0 \\u001b[31m\"",
              "null",
              "[".repeat(1_000) + "]".repeat(1_000),
              "\"" + "x".repeat(999_998) + "\"")
          .map(text -> text.getBytes(StandardCharsets.UTF_8))
          .toList();
  private static final List<byte[]> NO_JSON =
      List.of(
          new byte[0],
          new byte[] {0},
          "{".getBytes(StandardCharsets.UTF_8),
          "NaN".getBytes(StandardCharsets.UTF_8),
          "{} {}".getBytes(StandardCharsets.UTF_8),
          "1,\"admin\":true".getBytes(StandardCharsets.UTF_8),
          "1}".getBytes(StandardCharsets.UTF_8),
          "\ufeff{}".getBytes(StandardCharsets.UTF_8),
          "{}".getBytes(StandardCharsets.UTF_16),
          new byte[] {'"', (byte) 0xc0, (byte) 0xaf, '"'},
          new byte[] {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'},
          "[".repeat(7_000).getBytes(StandardCharsets.UTF_8));

  static Stream<Arguments> carried() {
    return Arrays.stream(Format.values())
        .flatMap(format -> JSON.stream().map(json -> arguments(format, json)));
  }

  @ParameterizedTest
  @MethodSource
  void carried(Format format, byte[] payload) {
    Mapped encoding = encode(format, payload);

    assertThat(encoding).isInstanceOf(Mapped.Message.class);
    Outgoing outgoing = ((Mapped.Message) encoding).message();
    assertThat(outgoing.body()).isEqualTo(expected(format, payload));
  }

  static Stream<Arguments> carriedWhereNothingIsEmbedded() {
    return Stream.of(Format.RAW, Format.CLOUDEVENTS_BINARY)
        .flatMap(format -> NO_JSON.stream().map(bytes -> arguments(format, bytes)));
  }

  @ParameterizedTest
  @MethodSource
  void carriedWhereNothingIsEmbedded(Format format, byte[] payload) {
    Mapped encoding = encode(format, payload);

    assertThat(encoding).isInstanceOf(Mapped.Message.class);
    assertThat(((Mapped.Message) encoding).message().body()).isEqualTo(payload);
  }

  static Stream<Arguments> refusedWhereItWouldBreakTheMessage() {
    return Stream.of(Format.GENERIC, Format.ENVELOPE, Format.CLOUDEVENTS)
        .flatMap(format -> NO_JSON.stream().map(bytes -> arguments(format, bytes)));
  }

  @ParameterizedTest
  @MethodSource
  void refusedWhereItWouldBreakTheMessage(Format format, byte[] payload) {
    assertThat(encode(format, payload))
        .isInstanceOfSatisfying(
            Mapped.Unmappable.class,
            refused ->
                assertThat(refused.detail())
                    .contains("\"e-1\"", format.configName(), payload.length + " bytes", "must"));
  }

  private static Mapped encode(Format format, byte[] payload) {
    return Encoder.builder(Transport.KAFKA)
        .byDefault(format)
        .source("s")
        .build()
        .encode(
            Rows.placed().payload(payload, "application/json").row(),
            Headers.NONE,
            Destination.topic("t"),
            1);
  }

  /** What a small payload's frame is, with the payload's bytes in its place. */
  private static byte[] expected(Format format, byte[] payload) {
    String frame =
        new String(body(encode(format, new byte[] {'7', '7', '7'})), StandardCharsets.UTF_8);
    int at = frame.lastIndexOf("777");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(frame.substring(0, at).getBytes(StandardCharsets.UTF_8));
    bytes.writeBytes(payload);
    bytes.writeBytes(frame.substring(at + 3).getBytes(StandardCharsets.UTF_8));
    return bytes.toByteArray();
  }

  private static byte[] body(Mapped encoding) {
    return Objects.requireNonNull(((Mapped.Message) encoding).message().body());
  }
}
