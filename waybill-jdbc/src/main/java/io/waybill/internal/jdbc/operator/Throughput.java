package io.waybill.internal.jdbc.operator;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How fast events are published, by the last whole minutes, and when those that wait will have
 * been. The age of the oldest event tells that: nothing is counted.
 *
 * @param publishedPerSecond events per second; null if not known
 * @param failedPerSecond attempts without success per second; null if not known
 * @param until end of the last minute that is known
 * @param caughtUpSeconds time until nothing older than a few seconds waits, at this pace; null if
 *     not known
 * @param unknown why something is not known, one sentence; null if everything is
 */
public record Throughput(
    @Nullable Double publishedPerSecond,
    @Nullable Double failedPerSecond,
    @Nullable Instant until,
    @Nullable Long caughtUpSeconds,
    @Nullable String unknown) {
  /** Five whole minutes, with the present one and one that is about to be written. */
  static final Duration LOOKED_AT = Duration.ofMinutes(7);

  private static final Duration MINUTE = Duration.ofMinutes(1);
  // Younger ones are on their way.
  private static final long CAUGHT_UP_MILLIS = 5_000;

  static Throughput unknown(String why) {
    return new Throughput(null, null, null, null, why);
  }

  /** By rows in the order of time. */
  static Throughput of(List<Rollup> rows, Instant now) {
    List<Rollup> minutes =
        rows.stream().filter(row -> row.destination().equals(Rollup.OUTBOX)).toList();
    if (minutes.isEmpty()) {
      return unknown("No relay has written what it did in the last minutes");
    }
    Rollup first = minutes.get(0);
    Rollup last = minutes.get(minutes.size() - 1);
    double passed = Duration.between(first.at(), last.at()).toSeconds();
    double seconds = passed + MINUTE.toSeconds();
    Instant until = last.at().plus(MINUTE);
    double published = rows.stream().mapToLong(Rollup::published).sum() / seconds;
    double failed = rows.stream().mapToLong(Rollup::failed).sum() / seconds;
    if (last.oldestMillis() < CAUGHT_UP_MILLIS) {
      return new Throughput(published, failed, until, 0L, null);
    }
    if (last.oldestMillis() >= first.oldestMillis()) {
      String why =
          passed == 0
              ? "One minute alone does not tell when events will have caught up"
              : "The oldest event that waits gets no younger: %d s, and %d s after %d s"
                  .formatted(
                      first.oldestMillis() / 1000, last.oldestMillis() / 1000, (long) passed);
      return new Throughput(published, failed, until, null, why);
    }
    double perSecond = (first.oldestMillis() - last.oldestMillis()) / passed;
    double since = Duration.between(until, now).toSeconds();
    long left = Math.max(0, Math.round(last.oldestMillis() / perSecond - since));
    return new Throughput(published, failed, until, left, null);
  }
}
