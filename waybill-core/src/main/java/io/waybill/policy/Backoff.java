package io.waybill.policy;

import java.time.Duration;
import java.util.Objects;

/** The delay after a number of failures. Pure: randomness comes from the caller. */
public sealed interface Backoff {
  /** The longest delay that can be configured. */
  Duration LONGEST = Duration.ofDays(30);

  /**
   * The delay before the next attempt.
   *
   * @param failures failures in a row so far, at least 1
   * @param random 64 random bits
   * @return milliseconds, 0 or more
   */
  long delayMillis(int failures, long random);

  /**
   * A delay that grows by a factor up to a maximum, with full jitter. The delay is a random value
   * from 0 up to the grown value: many relays then don't retry at the same moment.
   *
   * @param initial bound of the first delay, at least 1 ms
   * @param factor growth per failure, from 1 to 100
   * @param max bound of all delays, at least {@code initial}, at most 30 days
   */
  record Exponential(Duration initial, double factor, Duration max) implements Backoff {
    /** Checks the ranges. */
    public Exponential {
      Backoff.check("initial", initial);
      Backoff.check("max", max);
      if (!(factor >= 1 && factor <= 100)) {
        throw new IllegalArgumentException("factor must be from 1 to 100, is " + factor);
      }
      if (max.compareTo(initial) < 0) {
        throw new IllegalArgumentException(
            "max must be at least initial (" + initial + "), is " + max);
      }
    }

    @Override
    public long delayMillis(int failures, long random) {
      double grown = initial.toMillis() * Math.pow(factor, Math.max(0, failures - 1));
      double bound = Math.min((double) max.toMillis(), grown);
      // The upper 53 bits as a fraction in [0, 1): what a double can hold without rounding up to 1.
      double fraction = (random >>> 11) * 0x1.0p-53;
      return (long) (fraction * (bound + 1));
    }
  }

  /**
   * A constant delay, without jitter.
   *
   * @param delay from 1 ms to 30 days
   */
  record Constant(Duration delay) implements Backoff {
    /** Checks the range. */
    public Constant {
      Backoff.check("delay", delay);
    }

    @Override
    public long delayMillis(int failures, long random) {
      return delay.toMillis();
    }
  }

  private static void check(String name, Duration value) {
    Objects.requireNonNull(value, name);
    if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(name + " must be from 1 ms to 30 days, is " + value);
    }
  }
}
