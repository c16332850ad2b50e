package io.waybill.policy;

import io.waybill.store.Polling;
import java.time.Duration;

/**
 * Bounds and intervals of one relay.
 *
 * @param maxRows most rows in memory: read and not yet settled
 * @param maxBytes most bytes in memory
 * @param settleBatch most rows per settlement
 * @param settleDelay longest time for which a confirmed row waits for its settlement to fill
 * @param polling when and how much is read
 * @param lease life of the session without a renewal
 * @param renewInterval time between renewals
 * @param viewInterval time between looks at the lanes
 * @param deliveryTimeout the publisher's bound on an outcome
 * @param maxInFlight most unconfirmed sends
 * @param maxInFlightPerKey most unconfirmed sends of one key
 * @param maxBreakers most failing destinations with a separate circuit breaker; the rest share one
 *     breaker per exchange or topic, with a tenth as many of these
 * @param maxKeys most keys that are kept in full; further blocked keys without events in memory
 *     take 40 to 75 bytes each
 */
public record EngineSettings(
    int maxRows,
    long maxBytes,
    int settleBatch,
    Duration settleDelay,
    Polling polling,
    Duration lease,
    Duration renewInterval,
    Duration viewInterval,
    Duration deliveryTimeout,
    int maxInFlight,
    int maxInFlightPerKey,
    int maxBreakers,
    int maxKeys) {
  /** Destinations in trouble with a breaker of their own, where nothing else is said. */
  private static final int USUAL_BREAKERS = 1_000;

  private static final int USUAL_KEYS = 10_000;

  // What a send needs beyond the delivery timeout: a scheduling hiccup between check and socket.
  private static final Duration SEND_MARGIN = Duration.ofMillis(500);
  private static final Duration SHORTEST_DEFAULT_LEASE = Duration.ofSeconds(5);
  // For a renewal that comes late: with none to spare, nothing would be sent while it is under way.
  private static final Duration RENEWAL_MARGIN = Duration.ofMillis(500);
  private static final Duration DEFAULT_RENEW_INTERVAL = Duration.ofSeconds(2);

  /** Checks the bounds. The lease must outlive a send that starts just before a late renewal. */
  public EngineSettings {
    positive("maxRows", maxRows);
    positive("maxBytes", maxBytes);
    positive("settleBatch", settleBatch);
    positive("maxInFlight", maxInFlight);
    positive("maxInFlightPerKey", maxInFlightPerKey);
    positive("maxBreakers", maxBreakers);
    positive("maxKeys", maxKeys);
    Duration least = leastLease(deliveryTimeout, renewInterval);
    if (lease.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          "lease must be at least delivery timeout + renew interval + margin = "
              + least.toMillis()
              + " ms, but is "
              + lease.toMillis()
              + " ms");
    }
  }

  /**
   * Creates settings with 1,000 breakers, and 10,000 keys kept in full.
   *
   * @param maxRows most rows in memory: read and not yet settled
   * @param maxBytes most bytes in memory
   * @param settleBatch most rows per settlement
   * @param settleDelay longest time for which a confirmed row waits for its settlement to fill
   * @param polling when and how much is read
   * @param lease life of the session without a renewal
   * @param renewInterval time between renewals
   * @param viewInterval time between looks at the lanes
   * @param deliveryTimeout the publisher's bound on an outcome
   * @param maxInFlight most unconfirmed sends
   * @param maxInFlightPerKey most unconfirmed sends of one key
   */
  public EngineSettings(
      int maxRows,
      long maxBytes,
      int settleBatch,
      Duration settleDelay,
      Polling polling,
      Duration lease,
      Duration renewInterval,
      Duration viewInterval,
      Duration deliveryTimeout,
      int maxInFlight,
      int maxInFlightPerKey) {
    this(
        maxRows,
        maxBytes,
        settleBatch,
        settleDelay,
        polling,
        lease,
        renewInterval,
        viewInterval,
        deliveryTimeout,
        maxInFlight,
        maxInFlightPerKey,
        USUAL_BREAKERS,
        USUAL_KEYS);
  }

  /**
   * The shortest lease that outlives a send that starts just before a late renewal.
   *
   * @param deliveryTimeout the publisher's bound on an outcome
   * @param renewInterval time between renewals
   * @return their sum plus a margin of half a second
   */
  public static Duration leastLease(Duration deliveryTimeout, Duration renewInterval) {
    return deliveryTimeout.plus(renewInterval).plus(SEND_MARGIN);
  }

  /**
   * The default lease.
   *
   * @param deliveryTimeout the publisher's bound on an outcome
   * @param renewInterval time between renewals
   * @return the shortest plus half a second, but not below 5 s
   */
  public static Duration usualLease(Duration deliveryTimeout, Duration renewInterval) {
    Duration usual = leastLease(deliveryTimeout, renewInterval).plus(RENEWAL_MARGIN);
    return usual.compareTo(SHORTEST_DEFAULT_LEASE) > 0 ? usual : SHORTEST_DEFAULT_LEASE;
  }

  private static void positive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, but is " + value);
    }
  }

  /**
   * Lease that must be left for a send to be started.
   *
   * @return delivery timeout plus a margin, in nanoseconds
   */
  public long sendNeedsNanos() {
    return deliveryTimeout.plus(SEND_MARGIN).toNanos();
  }

  /**
   * The defaults: the least lease that the delivery timeout allows, but not below 5 s, renewed
   * every 2 s; a look at the lanes every half second; 8,000 rows or 16 MiB in memory, polls from 5
   * ms to 50 ms.
   *
   * @param deliveryTimeout the publisher's bound on an outcome
   * @param maxInFlightPerKey most unconfirmed sends of one key
   * @return settings
   */
  public static EngineSettings defaults(Duration deliveryTimeout, int maxInFlightPerKey) {
    return new EngineSettings(
        8_000,
        16L << 20,
        4_000,
        Duration.ofMillis(20),
        Polling.adaptive(),
        usualLease(deliveryTimeout, DEFAULT_RENEW_INTERVAL),
        DEFAULT_RENEW_INTERVAL,
        Duration.ofMillis(500),
        deliveryTimeout,
        8_000,
        maxInFlightPerKey);
  }

  /**
   * The same with other reads.
   *
   * @param other when and how much is read
   * @return changed copy
   */
  public EngineSettings polling(Polling other) {
    return with(other, maxBreakers, maxKeys);
  }

  /**
   * The same with other bounds on destinations and keys.
   *
   * @param breakers most failing destinations with a separate circuit breaker
   * @param keys most keys that are kept in full
   * @return changed copy
   */
  public EngineSettings bounds(int breakers, int keys) {
    return with(polling, breakers, keys);
  }

  private EngineSettings with(Polling reads, int breakers, int keys) {
    return new EngineSettings(
        maxRows,
        maxBytes,
        settleBatch,
        settleDelay,
        reads,
        lease,
        renewInterval,
        viewInterval,
        deliveryTimeout,
        maxInFlight,
        maxInFlightPerKey,
        breakers,
        keys);
  }
}
