package io.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{\"a\":\"\\u0000\"}",
        "{\"a\":\"\\ud800\"}",
        "{\"b\":1,\"a\":1.10,\"a\":2}",
        "1e400000",
        "NaN",
        "\"😀é\"",
        "{\"text\": \"<script>\\r\\n\"}"
      })
  void keepsTextCharacterByCharacter(String text) {
    assertThat(Payload.json(text).bytes()).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud800", "a\udc00b", "\ud83d", "\udc00\ud800"})
  void refusesLoneSurrogatesInsteadOfReplacingThem(String text) {
    assertThatExceptionOfType(InvalidEventException.class)
        .isThrownBy(() -> Payload.json(text))
        .withMessageContaining("payload must be well-formed Unicode");
  }

  @Test
  void aSerializerMakesThePayload() {
    PayloadSerializer<Integer> serializer = value -> Payload.json("{\"n\":" + value + "}");

    Event event = Event.builder("counted", "counter", "1").payload(7, serializer).build();

    assertThat(event.payload().bytes()).asString().isEqualTo("{\"n\":7}");
    assertThat(event.payload().contentType()).isEqualTo("application/json");
  }

  @Test
  void aTombstoneIsNotAnEmptyPayload() {
    assertThat(Payload.tombstone().bytes()).isNull();
    assertThat(Payload.of(new byte[0], "a/b").bytes()).isEmpty();
  }
}
