package io.waybill.internal.encode;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/**
 * Writes microseconds since the epoch as ISO-8601 in UTC with six decimals, and reads ISO-8601.
 * Thread-safe; remembers the last second, since rows and events come in the order of their
 * creation.
 */
final class IsoTime {
  private static final long MICROS = 1_000_000;
  private static final int LENGTH = "2000-01-01T00:00:00.000000Z".length();
  private static final int FRACTION = LENGTH - 7;
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

    /** Whether a text begins with it. */
    boolean isOf(String text) {
      for (int i = 0; i < FRACTION; i++) {
        if (text.charAt(i) != template[i]) {
          return false;
        }
      }
      return true;
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

  /**
   * Reads a time with any offset.
   *
   * @throws DateTimeException if it is none
   */
  Instant parse(String text) {
    Second known = last;
    if (isWritten(text) && known.isOf(text)) {
      return Instant.ofEpochSecond(known.epochSecond(), 1_000L * micros(text));
    }
    Instant read = OffsetDateTime.parse(text).toInstant();
    if (isWritten(text)) {
      last = second(read.getEpochSecond());
    }
    return read;
  }

  /** Whether it has six decimals and is in UTC. */
  private static boolean isWritten(String text) {
    if (text.length() != LENGTH || text.charAt(LENGTH - 1) != 'Z') {
      return false;
    }
    for (int i = FRACTION; i < LENGTH - 1; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  private static int micros(String text) {
    return Integer.parseInt(text, FRACTION, LENGTH - 1, 10);
  }

  private static Second second(long epochSecond) {
    LocalDateTime time =
        LocalDateTime.ofInstant(Instant.ofEpochSecond(epochSecond), ZoneOffset.UTC);
    String text = time.toString();
    // LocalDateTime leaves out seconds that are zero.
    return new Second(epochSecond, time.getSecond() == 0 ? text + ":00" : text);
  }
}
