package io.waybill.jdbc.dialect;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Selects rows by their creation time.
 *
 * @param from first instant, or null for no bound
 * @param until first instant after the range, or null for no bound
 */
public record TimeRange(@Nullable Instant from, @Nullable Instant until) {
  /** All rows. */
  public static final TimeRange ALL = new TimeRange(null, null);

  /** Checks the order. */
  public TimeRange {
    if (from != null && until != null && !from.isBefore(until)) {
      throw new IllegalArgumentException(
          "The time range must begin before it ends, but goes from " + from + " until " + until);
    }
  }

  /** What follows another condition, such that an index on the column serves; nothing for all. */
  String and(String column, SqlDialect dialect) {
    String lower = from == null ? "" : " and " + column + " >= " + micros(from, dialect);
    String upper = until == null ? "" : " and " + column + " < " + micros(until, dialect);
    return lower + upper;
  }

  private static String micros(Instant instant, SqlDialect dialect) {
    long micros =
        Math.addExact(
            Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1000);
    return dialect.timestamp(Long.toString(micros));
  }
}
