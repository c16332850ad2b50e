package io.waybill.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.DateTimeException;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IsoTimeTest {
  @ParameterizedTest
  @CsvSource({
    "1970-01-01T00:00:00Z, 1970-01-01T00:00:00.000000Z",
    "1969-12-31T23:59:59.999999Z, 1969-12-31T23:59:59.999999Z",
    "2026-03-29T01:30:00.5Z, 2026-03-29T01:30:00.500000Z",
    "2016-12-31T23:59:59.000001Z, 2016-12-31T23:59:59.000001Z",
    "0001-01-01T00:00:00Z, 0001-01-01T00:00:00.000000Z",
    "9999-12-31T23:59:59.999999Z, 9999-12-31T23:59:59.999999Z"
  })
  void writesMicrosecondsInUtc(Instant time, String text) {
    IsoTime iso = new IsoTime();
    long micros = time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;

    assertThat(iso.format(micros)).isEqualTo(text);
    assertThat(iso.format(micros)).isEqualTo(text);
    assertThat(iso.parse(text)).isEqualTo(time);
    assertThat(new IsoTime().parse(text)).isEqualTo(time);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-22T08:00:00.000042Z, 2026-11-22T08:00:00.000042Z",
    "2026-11-22T08:00:00.999999Z, 2026-11-22T08:00:00.999999Z",
    "2026-11-22T08:00:01.000042Z, 2026-11-22T08:00:01.000042Z",
    "2026-11-22T08:00:00Z, 2026-11-22T08:00:00Z",
    "2026-11-22T08:00:00.1Z, 2026-11-22T08:00:00.1Z",
    "2026-11-22T09:00:00.000042+01:00, 2026-11-22T08:00:00.000042Z",
    "2026-11-22T08:00:00.00000042Z, 2026-11-22T08:00:00.00000042Z"
  })
  void readsWhatComesAfterATimeOfTheSameSecond(String text, Instant time) {
    IsoTime iso = new IsoTime();
    iso.parse("2026-11-22T08:00:00.000001Z");

    assertThat(iso.parse(text)).isEqualTo(time);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "yesterday", "2026-11-22T08:00:00.0000x2Z", "2026-11-22T08:00:00.000042z!"})
  void refusesWhatIsNoTime(String text) {
    IsoTime iso = new IsoTime();
    iso.parse("2026-11-22T08:00:00.000001Z");

    assertThatExceptionOfType(DateTimeException.class).isThrownBy(() -> iso.parse(text));
  }
}
