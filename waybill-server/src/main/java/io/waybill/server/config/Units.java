package io.waybill.server.config;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and sizes as people write them: a whole number and a unit, without a space. */
public final class Units {
  /** What a duration has to look like. */
  public static final String DURATION_RULE =
      "must be a whole number with a unit (ms, s, m, h, d), for example 15s";

  static final String SIZE_RULE =
      "must be a whole number with a unit (B, KiB, MiB, GiB), for example 32MiB";

  private static final Pattern FORM = Pattern.compile("([0-9]{1,18})([A-Za-z]{1,3})");
  private static final Map<String, Long> MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
  private static final Map<String, Long> BYTES =
      Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);

  private Units() {}

  /**
   * Reads a duration.
   *
   * @param text for example 15s
   * @return the duration, or empty if the text does not have the form
   */
  public static Optional<Duration> duration(String text) {
    return parse(text, MILLIS).map(Duration::ofMillis);
  }

  static Optional<Long> size(String text) {
    return parse(text, BYTES);
  }

  static String print(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 86_400_000 == 0 && millis > 0) {
      return millis / 86_400_000 + "d";
    }
    return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
  }

  static String print(long bytes) {
    if (bytes % (1 << 20) == 0 && bytes > 0) {
      return (bytes >> 20) + "MiB";
    }
    return bytes % (1 << 10) == 0 && bytes > 0 ? (bytes >> 10) + "KiB" : bytes + "B";
  }

  private static Optional<Long> parse(String text, Map<String, Long> units) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches() || !units.containsKey(matcher.group(2))) {
      return Optional.empty();
    }
    BigInteger value =
        new BigInteger(matcher.group(1)).multiply(BigInteger.valueOf(units.get(matcher.group(2))));
    // Beyond a long it is beyond every bound as well.
    return Optional.of(value.bitLength() > 62 ? Long.MAX_VALUE / 2 : value.longValue());
  }
}
