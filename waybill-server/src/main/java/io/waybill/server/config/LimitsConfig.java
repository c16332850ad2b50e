package io.waybill.server.config;

import io.waybill.broker.Publisher;
import io.waybill.relay.EngineSettings;
import java.time.Duration;

/**
 * Bounds and intervals of a relay.
 *
 * @param lease life of its session without a renewal; if none is given 15 s, or as much more as the
 *     delivery timeout needs
 * @param renewInterval time between renewals
 * @param viewInterval time between looks at the lanes
 * @param maxRows most rows in memory
 * @param maxBytes most bytes in memory
 * @param maxEventBytes most bytes of one event; larger ones are parked unread
 * @param settleBatch most rows per settlement
 * @param settleDelay longest wait of a confirmed row for its settlement to fill
 * @param maxInFlight most unconfirmed sends; as many as rows unless it is given
 */
public record LimitsConfig(
    Duration lease,
    Duration renewInterval,
    Duration viewInterval,
    int maxRows,
    long maxBytes,
    int maxEventBytes,
    int settleBatch,
    Duration settleDelay,
    int maxInFlight) {
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofMinutes(30);

  static LimitsConfig read(Section section, Duration deliveryTimeout) {
    int maxRows = section.number("max-rows", 8_000, 1, 1_000_000);
    Duration renewInterval = seconds(section, "renew-interval", 2);
    Duration bound = deliveryTimeout.plus(Publisher.CLIENT_MARGIN);
    Duration usual = EngineSettings.usualLease(bound, renewInterval);
    LimitsConfig config =
        new LimitsConfig(
            section.duration("lease", usual, SHORTEST, LONGEST),
            renewInterval,
            seconds(section, "view-interval", 1),
            maxRows,
            section.size("max-bytes", 16L << 20, 1L << 20, 16L << 30),
            (int) section.size("max-event-bytes", 16L << 20, 64L << 10, 256L << 20),
            section.number("settle-batch", 4_000, 1, 5_000),
            millis(section, "settle-delay", 20),
            section.number("max-in-flight", maxRows, 1, 1_000_000));
    config.check(section, EngineSettings.leastLease(bound, renewInterval));
    section.done();
    return config;
  }

  private void check(Section section, Duration least) {
    if (lease.compareTo(least) < 0) {
      section.problem(
          "lease",
          "must be at least "
              + Units.print(least)
              + " (delivery-timeout + renew-interval + 2500ms)",
          Units.print(lease));
    }
    if (maxInFlight > maxRows) {
      section.problem("max-in-flight", "must be at most max-rows " + maxRows, "" + maxInFlight);
    }
  }

  private static Duration seconds(Section section, String key, int fallback) {
    return section.duration(key, Duration.ofSeconds(fallback), SHORTEST, LONGEST);
  }

  private static Duration millis(Section section, String key, int fallback) {
    return section.duration(
        key, Duration.ofMillis(fallback), Duration.ofMillis(1), Duration.ofMinutes(1));
  }
}
