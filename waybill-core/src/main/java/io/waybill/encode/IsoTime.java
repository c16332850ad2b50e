package io.waybill.encode;

import java.nio.charset.StandardCharsets;
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

  /** A second and its text, with zeros as the fraction. */
  private static final class Second {
    private final long epochSecond;
    private final byte[] template;

    Second(long epochSecond, String text) {
      this.epochSecond = epochSecond;
      this.template = (text + ".000000Z").getBytes(StandardCharsets.ISO_8859_1);
    }

    long epochSecond() {
      return epochSecond;
    }

    byte[] template() {
      return template;
    }
  }

  String format(long epochMicros) {
    long epochSecond = Math.floorDiv(epochMicros, MICROS);
    Second known = last;
    if (known.epochSecond() != epochSecond) {
      known = second(epochSecond);
      last = known;
    }
    byte[] text = known.template().clone();
    int fraction = (int) Math.floorMod(epochMicros, MICROS);
    for (int i = text.length - 2; fraction > 0; i--) {
      text[i] = (byte) ('0' + fraction % 10);
      fraction /= 10;
    }
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  private static Second second(long epochSecond) {
    LocalDateTime time =
        LocalDateTime.ofInstant(Instant.ofEpochSecond(epochSecond), ZoneOffset.UTC);
    String text = time.toString();
    // LocalDateTime leaves out seconds that are zero.
    return new Second(epochSecond, time.getSecond() == 0 ? text + ":00" : text);
  }
}
