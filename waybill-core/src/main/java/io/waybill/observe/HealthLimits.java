package io.waybill.observe;

import java.time.Duration;

/**
 * How long silence may last.
 *
 * @param alive longest time without a sign of the relay's own thread
 * @param database longest time without an answer of the database
 * @param progress longest time with events in flight and none of them finished
 */
public record HealthLimits(Duration alive, Duration database, Duration progress) {
  /**
   * Limits that fit the intervals of a relay.
   *
   * @param lease life of its session
   * @param deliveryTimeout longest time between a send and its outcome
   * @return limits
   */
  public static HealthLimits of(Duration lease, Duration deliveryTimeout) {
    return new HealthLimits(Duration.ofSeconds(15), lease, deliveryTimeout.plus(lease));
  }
}
