package io.waybill.observe;

import java.time.Duration;

/**
 * How long a relay may show no progress.
 *
 * @param alive longest time without a sign of life from the relay's own thread
 * @param database longest time without an answer from the database, and longest time for which one
 *     kind of call to it may keep failing
 * @param progress longest time with events in flight and none of them finished
 */
public record HealthLimits(Duration alive, Duration database, Duration progress) {
  private static final Duration ALIVE = Duration.ofSeconds(15);
  // With the time between two looks, a database that is away is told of within 15 s.
  private static final Duration DATABASE = Duration.ofSeconds(12);
  private static final int LOOKS = 4;

  /**
   * Derives limits from the intervals of a relay.
   *
   * @param lease life of its session
   * @param viewInterval time between looks at the lanes
   * @param deliveryTimeout longest time between a send and its outcome
   * @return limits; 12 s for the database, or four looks, but no longer than the lease
   */
  public static HealthLimits of(Duration lease, Duration viewInterval, Duration deliveryTimeout) {
    Duration looks = viewInterval.multipliedBy(LOOKS);
    Duration database = looks.compareTo(DATABASE) > 0 ? looks : DATABASE;
    return new HealthLimits(
        ALIVE, database.compareTo(lease) > 0 ? lease : database, deliveryTimeout.plus(lease));
  }
}
