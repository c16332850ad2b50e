package io.waybill.database;

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
}
