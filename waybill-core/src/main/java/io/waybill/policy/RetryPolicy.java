package io.waybill.policy;

import java.time.Duration;
import java.util.Objects;

/**
 * When to try a failed event again, and when to stop. Pure and immutable.
 *
 * <p>Only definite rejections count towards the limit; an outage, however long, never exhausts it.
 *
 * @param backoff delay between attempts
 * @param attemptLimit definite rejections after which an event is not tried again, at least 1
 */
public record RetryPolicy(Backoff backoff, int attemptLimit) {
  /** An attempt limit that is never reached. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  /** Checks the limit. */
  public RetryPolicy {
    Objects.requireNonNull(backoff, "backoff");
    if (attemptLimit < 1) {
      throw new IllegalArgumentException("attemptLimit must be at least 1, is " + attemptLimit);
    }
  }

  /**
   * The defaults: 200 ms doubling up to 5 minutes with full jitter, 10 attempts.
   *
   * @return the policy
   */
  public static RetryPolicy ofDefaults() {
    return builder().build();
  }

  /**
   * Starts from the defaults.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Decides after the broker or its client definitely refused the event.
   *
   * @param rejections definite rejections so far, this one included
   * @param random 64 random bits
   * @return when to try again, or that the limit is reached
   */
  public Decision afterRejection(int rejections, long random) {
    return rejections >= attemptLimit && attemptLimit != UNLIMITED
        ? new Decision.GiveUp()
        : afterUnknown(rejections, random);
  }

  /**
   * Decides after an attempt without a definite answer. Whatever this returns, relays wait for at
   * most two seconds once a destination has failed twice and no other has answered in between.
   *
   * @param failures failures in a row so far, this one included
   * @param random 64 random bits
   * @return when to try again
   */
  public Decision.RetryAt afterUnknown(int failures, long random) {
    return new Decision.RetryAt(backoff.delayMillis(failures, random));
  }

  /** Collects settings; not thread-safe. */
  public static final class Builder {
    private Backoff backoff =
        new Backoff.Exponential(Duration.ofMillis(200), 2, Duration.ofMinutes(5));
    private int attemptLimit = 10;

    private Builder() {}

    /**
     * Sets a delay that grows by a factor up to a maximum, with full jitter.
     *
     * @param initial bound of the first delay
     * @param factor growth per failure
     * @param max bound of all delays
     * @return this builder
     * @throws IllegalArgumentException if a value is out of range
     */
    public Builder exponential(Duration initial, double factor, Duration max) {
      backoff = new Backoff.Exponential(initial, factor, max);
      return this;
    }

    /**
     * Sets a constant delay.
     *
     * @param delay the time
     * @return this builder
     * @throws IllegalArgumentException if the delay is out of range
     */
    public Builder constant(Duration delay) {
      backoff = new Backoff.Constant(delay);
      return this;
    }

    /**
     * Sets the number of definite rejections after which an event is not tried again; 10 by
     * default.
     *
     * @param limit at least 1, or {@link RetryPolicy#UNLIMITED}
     * @return this builder
     */
    public Builder attemptLimit(int limit) {
      attemptLimit = limit;
      return this;
    }

    /**
     * Checks and builds.
     *
     * @return the policy
     * @throws IllegalArgumentException if the limit is below 1
     */
    public RetryPolicy build() {
      return new RetryPolicy(backoff, attemptLimit);
    }
  }
}
