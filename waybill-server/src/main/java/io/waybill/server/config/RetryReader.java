package io.waybill.server.config;

import io.waybill.retry.RetryPolicy;
import java.time.Duration;

/** Reads and checks the section {@code retry}. */
final class RetryReader {
  private RetryReader() {}

  static RetryPolicy read(Section section) {
    int attempts = section.number("attempts", 10, 1, 1_000_000);
    int factor = section.number("factor", 2, 1, 10);
    Duration first = delay(section, "first-delay", Duration.ofMillis(200));
    Duration longest = delay(section, "longest-delay", Duration.ofMinutes(5));
    section.done();
    if (first.compareTo(longest) > 0) {
      section.problem(
          "first-delay",
          "must be at most longest-delay " + Units.print(longest),
          Units.print(first));
      return RetryPolicy.ofDefaults();
    }
    return RetryPolicy.builder().exponential(first, factor, longest).attemptLimit(attempts).build();
  }

  private static Duration delay(Section section, String key, Duration fallback) {
    return section.duration(key, fallback, Duration.ofMillis(1), Duration.ofDays(1));
  }
}
