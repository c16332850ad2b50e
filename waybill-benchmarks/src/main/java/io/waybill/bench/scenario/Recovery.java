package io.waybill.bench.scenario;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Verdict;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * How a relay made up for an outage. It has caught up when everything is confirmed that was
 * committed before the first confirm after the outage.
 *
 * @param backlog events that waited at that first confirm
 * @param firstSeconds to it from the start of the broker
 * @param seconds from it until the relay had caught up
 * @param rate confirms per second in that time
 * @param during latency of events that were committed while it caught up
 * @param after latency of those committed later
 */
record Recovery(
    long backlog,
    double firstSeconds,
    double seconds,
    double rate,
    Histogram during,
    Histogram after) {
  /**
   * From what was stamped.
   *
   * @param commits time of the commit by event
   * @param confirms time of the broker's confirm by event
   * @param restart when the broker was started again
   */
  static Recovery of(Map<Long, Long> commits, Map<Long, Long> confirms, long restart) {
    long first =
        confirms.values().stream()
            .mapToLong(Long::longValue)
            .filter(confirm -> confirm > restart)
            .min()
            .orElseThrow(() -> new IllegalStateException("Nothing was confirmed after the outage"));
    long backlog = 0;
    long caughtUp = first;
    for (Map.Entry<Long, Long> commit : commits.entrySet()) {
      long confirm = confirms.getOrDefault(commit.getKey(), restart);
      if (commit.getValue() <= first && confirm >= first) {
        backlog++;
        caughtUp = Math.max(caughtUp, confirm);
      }
    }
    long count = 0;
    Histogram during = new Histogram(3);
    Histogram after = new Histogram(3);
    for (Map.Entry<Long, Long> commit : commits.entrySet()) {
      long confirm = confirms.getOrDefault(commit.getKey(), restart);
      count += confirm >= first && confirm <= caughtUp ? 1 : 0;
      if (commit.getValue() > first) {
        Histogram histogram = commit.getValue() <= caughtUp ? during : after;
        histogram.recordValue(Math.max(0, confirm - commit.getValue()));
      }
    }
    // One confirm may be all there is.
    double rate = count * 1e9 / Math.max(1_000_000L, caughtUp - first);
    double seconds = (caughtUp - first) / 1e9;
    return new Recovery(backlog, (first - restart) / 1e9, seconds, rate, during, after);
  }

  /** When it had caught up, if the broker was back then. */
  long caughtUp(long restart) {
    return restart + (long) ((firstSeconds + seconds) * 1e9);
  }

  void addTo(Measured measured) {
    measured.add(Figure.RATE, rate);
    measured.details().put("backlogEvents", (double) backlog);
    measured.details().put("firstConfirmSeconds", firstSeconds);
    measured.details().put("recoverySeconds", seconds);
    if (during.getTotalCount() > 0) {
      measured.details().put("duringRecoveryP50Ms", millis(during, 50));
      measured.details().put("duringRecoveryP99Ms", millis(during, 99));
      double longest = during.getMaxValue() / 1e9 / Math.max(0.001, seconds);
      measured.details().merge(Verdict.LONGEST_NEW, longest, Math::max);
    }
    if (after.getTotalCount() > 0) {
      measured.add(Figure.P50, millis(after, 50));
      measured.add(Figure.P99, millis(after, 99));
    }
  }

  private static double millis(Histogram histogram, double percentile) {
    return histogram.getValueAtPercentile(percentile) / 1e6;
  }
}
