package io.waybill.encode;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * Writes microseconds since the epoch as ISO-8601 in UTC with six decimals. Thread-safe; remembers
 * the last second, since rows come in the order of their creation.
 */
final class IsoTime {
  private static final long MICROS = 1_000_000;
  private volatile Second last = second(0);

  /** A second and its text, without the fraction. */
  private record Second(long epochSecond, String text) {}

  String format(long epochMicros) {
    long epochSecond = Math.floorDiv(epochMicros, MICROS);
    Second known = last;
    if (known.epochSecond() != epochSecond) {
      known = second(epochSecond);
      last = known;
    }
    // The leading 1 keeps the zeros of the fraction.
    String fraction = Long.toString(Math.floorMod(epochMicros, MICROS) + MICROS);
    return known.text() + '.' + fraction.substring(1) + 'Z';
  }

  private static Second second(long epochSecond) {
    LocalDateTime time =
        LocalDateTime.ofInstant(Instant.ofEpochSecond(epochSecond), ZoneOffset.UTC);
    String text = time.toString();
    // LocalDateTime leaves out seconds that are zero.
    return new Second(epochSecond, time.getSecond() == 0 ? text + ":00" : text);
  }
}
