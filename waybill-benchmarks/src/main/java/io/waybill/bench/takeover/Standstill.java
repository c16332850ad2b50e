package io.waybill.bench.takeover;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Verdict;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * How long keys stood still in one or more rounds. A gap is the time between two arrivals of a key,
 * and so has the interval of its events in it; a wait is that from a commit to the arrival.
 *
 * @param movedGaps the longest one of each key that moved
 * @param movedWaits the same of waits
 * @param stayedGaps the longest gap of each other key, as long after the fault as before
 * @param calmGaps the longest gap of the same keys before the fault
 * @param calmWaits of all events before the fault
 */
record Standstill(
    Histogram movedGaps,
    Histogram movedWaits,
    Histogram stayedGaps,
    Histogram calmGaps,
    Histogram calmWaits) {
  /** Nothing yet. */
  Standstill() {
    this(new Histogram(3), new Histogram(3), new Histogram(3), new Histogram(3), new Histogram(3));
  }

  /**
   * Of one round.
   *
   * @param arrivals all of the run
   * @param round its times and lanes
   * @param lanes lane of each key
   */
  static Standstill of(Arrivals arrivals, Round round, int[] lanes) {
    Standstill all = new Standstill();
    Window whole = round.whole(arrivals);
    for (int key = 0; key < arrivals.keys(); key++) {
      arrivals.waits(key, round.before(), all.calmWaits::recordValue);
      if (round.moved().contains(lanes[key])) {
        note(arrivals.longestGap(key, whole), all.movedGaps);
        all.movedWaits.recordValue(arrivals.longestWait(key, whole));
      } else {
        note(arrivals.longestGap(key, round.asLong()), all.stayedGaps);
        note(arrivals.longestGap(key, round.before()), all.calmGaps);
      }
    }
    return all;
  }

  /** A key that has no event in a window says nothing. */
  private static void note(long gap, Histogram gaps) {
    if (gap > 0) {
      gaps.recordValue(gap);
    }
  }

  void add(Standstill more) {
    movedGaps.add(more.movedGaps);
    movedWaits.add(more.movedWaits);
    stayedGaps.add(more.stayedGaps);
    calmGaps.add(more.calmGaps);
    calmWaits.add(more.calmWaits);
  }

  void addTo(Measured measured) {
    Map<String, Double> details = measured.details();
    details.put("movedKeys", (double) movedGaps.getTotalCount());
    details.put("stayedKeys", (double) stayedGaps.getTotalCount());
    if (movedGaps.getTotalCount() > 0) {
      details.put(Verdict.GAP_P50, seconds(movedGaps, 50));
      details.put(Verdict.GAP_P99, seconds(movedGaps, 99));
      details.put("gapMaxSeconds", seconds(movedGaps, 100));
      details.put("standstillP50Seconds", seconds(movedWaits, 50));
      details.put(Verdict.STANDSTILL_P99, seconds(movedWaits, 99));
      details.put(Verdict.STANDSTILL_MAX, seconds(movedWaits, 100));
    }
    if (stayed()) {
      details.put("stayedGapP99Seconds", seconds(stayedGaps, 99));
      details.put("stayedGapP99SecondsBefore", seconds(calmGaps, 99));
      details.put(Verdict.STAYED_RATIO, ratio());
    }
    measured.add(Figure.CONSUMER_P50, seconds(calmWaits, 50) * 1000);
    measured.add(Figure.CONSUMER_P99, seconds(calmWaits, 99) * 1000);
  }

  private boolean stayed() {
    return stayedGaps.getTotalCount() > 0 && calmGaps.getTotalCount() > 0;
  }

  private double ratio() {
    return seconds(stayedGaps, 99) / seconds(calmGaps, 99);
  }

  private static double seconds(Histogram histogram, double percentile) {
    return histogram.getValueAtPercentile(percentile) / 1e9;
  }

  /** For people. */
  @Override
  public String toString() {
    String moved =
        "%d keys moved: gap p50 %.2f, p99 %.2f, max %.2f s, standstill p50 %.3f, p99 %.3f, max %.3f s"
            .formatted(
                movedGaps.getTotalCount(),
                seconds(movedGaps, 50),
                seconds(movedGaps, 99),
                seconds(movedGaps, 100),
                seconds(movedWaits, 50),
                seconds(movedWaits, 99),
                seconds(movedWaits, 100));
    return stayed()
        ? moved
            + "; %d stayed: gap p99 %.3f s, %.3f s before, %.2f x"
                .formatted(
                    stayedGaps.getTotalCount(),
                    seconds(stayedGaps, 99),
                    seconds(calmGaps, 99),
                    ratio())
        : moved + "; none stayed";
  }
}
