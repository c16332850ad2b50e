package io.waybill.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Headers;
import io.waybill.message.ReceivedEvent;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which marks of a redrive are believed. */
class RedriveMarksTest {
  private static Decoded decode(Map<String, String> headers, @Nullable String body) {
    return new Decoder()
        .decode(
            "orders",
            "k".getBytes(StandardCharsets.UTF_8),
            body == null ? null : body.getBytes(StandardCharsets.UTF_8),
            Headers.of(headers),
            1_000_000);
  }

  private static ReceivedEvent event(Map<String, String> headers, @Nullable String body) {
    return ((Decoded.Event) decode(headers, body)).event();
  }

  @ParameterizedTest
  @CsvSource({
    "2, 2",
    "999999999, 999999999",
    "1000000000, 0",
    "v1, 0",
    "3.7, 0",
    "+4, 0",
    "007, 0",
    "0, 0",
    "often, 0",
    "-1, 0",
    "'', 0"
  })
  void aRedrivenEventSaysHowOften(String header, int times) {
    ReceivedEvent event =
        event(
            Map.of(
                "waybill-event-id",
                "e",
                "waybill-event-type",
                "t",
                RedriveMarks.TIMES,
                header,
                RedriveMarks.EVENT,
                "e"),
            null);

    assertThat(event.redriven()).isEqualTo(times);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "E", "e ", "another"})
  void marksThatNameAnotherEventOrNoneAreNothing(@Nullable String named) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("waybill-event-id", "e");
    headers.put("waybill-event-type", "t");
    headers.put(RedriveMarks.TIMES, "1");
    headers.put(RedriveMarks.CONSUMER, "mail");
    if (named != null) {
      headers.put(RedriveMarks.EVENT, named);
    }

    assertThat(event(headers, null).redriven()).isZero();
    assertThat(RedriveMarks.consumer(Headers.of(headers), decode(headers, null))).isNull();
  }

  @Test
  void whatIsNoEventIsForWhomItsMarksSayThatNameNone() {
    Map<String, String> headers = new LinkedHashMap<>(Map.of(RedriveMarks.CONSUMER, "mail"));
    assertThat(RedriveMarks.consumer(Headers.of(headers), decode(headers, null))).isEqualTo("mail");
    headers.put(RedriveMarks.EVENT, "e");
    assertThat(RedriveMarks.consumer(Headers.of(headers), decode(headers, null))).isNull();
  }
}
