package io.waybill.server.config;

import io.waybill.retry.RetryPolicy;
import java.time.Duration;

/** Reads and checks the section {@code retry}. */
final class RetryReader {
  private RetryReader() {}

  /** How the pauses between attempts go on. */
  private enum Policy {
    BACKOFF,
    CONSTANT
  }

  static RetryPolicy read(Section section) {
    Policy policy = section.choice("policy", Policy.class, Policy.BACKOFF);
    int attempts = section.number("attempts", 10, 1, 1_000_000);
    RetryPolicy.Builder retry = RetryPolicy.builder().attemptLimit(attempts);
    if (policy == Policy.CONSTANT) {
      constant(section, retry);
    } else {
      backoff(section, retry);
    }
    section.done();
    return retry.build();
  }

  private static void constant(Section section, RetryPolicy.Builder retry) {
    for (String key : new String[] {"first-delay", "longest-delay", "factor"}) {
      if (section.has(key)) {
        section.problem(key, "needs policy: backoff");
      }
    }
    retry.constant(delay(section, "delay", Duration.ofSeconds(1)));
  }

  private static void backoff(Section section, RetryPolicy.Builder retry) {
    if (section.has("delay")) {
      section.problem("delay", "needs policy: constant");
    }
    int factor = section.number("factor", 2, 1, 10);
    Duration first = delay(section, "first-delay", Duration.ofMillis(200));
    Duration longest = delay(section, "longest-delay", Duration.ofMinutes(5));
    if (first.compareTo(longest) > 0) {
      section.problem(
          "first-delay",
          "must be at most longest-delay " + Units.print(longest),
          Units.print(first));
    } else {
      retry.exponential(first, factor, longest);
    }
  }

  private static Duration delay(Section section, String key, Duration fallback) {
    return section.duration(key, fallback, Duration.ofMillis(1), Duration.ofDays(1));
  }
}
