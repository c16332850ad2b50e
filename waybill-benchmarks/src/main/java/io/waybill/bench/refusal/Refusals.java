package io.waybill.bench.refusal;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Verdict;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayEvent.BreakerState;
import io.waybill.observe.RelayListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;

/** What a relay tells while one of its destinations refuses. Thread-safe. */
final class Refusals implements RelayListener {
  /** A healthy event: when its row was written and how long until its confirm, nanoseconds. */
  private record Latency(long written, long nanos) {}

  private static final Set<String> ANSWERS =
      Set.of(
          "nacked",
          "unroutable",
          "exchange-missing",
          "access-refused",
          "topic-missing",
          "not-authorized");

  private final String healthy;
  private final List<Latency> latencies = new ArrayList<>();
  private final Set<String> reasons = new TreeSet<>();
  private boolean spoiled;
  private boolean repairing;
  private long firstRefusal;
  private long firstFlow;
  private long unanswered;
  private long setAside;
  private long healthyRefused;

  /** The healthy destination has this name. */
  Refusals(String healthy) {
    this.healthy = healthy;
  }

  /**
   * The other one refuses from now on.
   *
   * @param onlyInTheory to measure a relay without refusals at the same time
   */
  synchronized void spoiling(boolean onlyInTheory) {
    spoiled = true;
    firstRefusal = onlyInTheory ? System.nanoTime() : 0;
  }

  /** It is repaired from now on; returns when that is. */
  synchronized long repairing() {
    repairing = true;
    return System.nanoTime();
  }

  @Override
  public synchronized void on(RelayEvent event) {
    if (event instanceof RelayEvent.Published published) {
      published(published);
    } else if (event instanceof RelayEvent.Retried retried) {
      unanswered += ANSWERS.contains(retried.failure().reason()) ? 0 : 1;
    } else if (event instanceof RelayEvent.Parked || event instanceof RelayEvent.Dead) {
      setAside++;
    } else if (event instanceof RelayEvent.BreakerChanged changed
        && changed.state() == BreakerState.OPEN) {
      opened(changed);
    }
  }

  private void published(RelayEvent.Published event) {
    long marked = event.confirmToMarkMicros() * 1_000;
    long confirmed = System.nanoTime() - marked;
    if (event.destination().equals(healthy)) {
      long nanos = (event.creationToReadMicros() + event.readToConfirmMicros()) * 1_000;
      latencies.add(new Latency(confirmed - nanos, nanos));
    } else if (repairing && firstFlow == 0) {
      firstFlow = confirmed;
    }
  }

  private void opened(RelayEvent.BreakerChanged event) {
    if (event.destination().equals(healthy)) {
      healthyRefused++;
    } else {
      reasons.add(event.reason());
      if (spoiled && firstRefusal == 0) {
        firstRefusal = System.nanoTime();
      }
    }
  }

  /** When the breaker opened first, 0 before. */
  synchronized long firstRefusal() {
    return firstRefusal;
  }

  /** When the first event was confirmed after the repair, 0 before. */
  synchronized long firstFlow() {
    return firstFlow;
  }

  synchronized Set<String> reasons() {
    return Set.copyOf(reasons);
  }

  /**
   * Adds what was seen of the healthy destination.
   *
   * @param from when the time before began
   * @param until when it ended
   * @param repaired when the refusals ended
   * @param measured gets the figures
   */
  synchronized void measure(long from, long until, long repaired, Measured measured) {
    Histogram before = new Histogram(3);
    Histogram meanwhile = new Histogram(3);
    for (Latency latency : latencies) {
      if (latency.written - from >= 0 && latency.written - until < 0) {
        before.recordValue(Math.max(0, latency.nanos));
      } else if (latency.written - firstRefusal >= 0 && latency.written - repaired < 0) {
        meanwhile.recordValue(Math.max(0, latency.nanos));
      }
    }
    if (before.getTotalCount() == 0 || meanwhile.getTotalCount() == 0) {
      throw new IllegalStateException(
          "too few events to compare: %d before and %d meanwhile"
              .formatted(before.getTotalCount(), meanwhile.getTotalCount()));
    }
    double p99 = meanwhile.getValueAtPercentile(99);
    measured.add(Figure.P50, meanwhile.getValueAtPercentile(50) / 1e6);
    measured.add(Figure.P99, p99 / 1e6);
    measured.details().put("p50MsBefore", before.getValueAtPercentile(50) / 1e6);
    measured.details().put("p99MsBefore", before.getValueAtPercentile(99) / 1e6);
    measured.details().put("maxMsBefore", before.getMaxValue() / 1e6);
    measured.details().put("maxMs", meanwhile.getMaxValue() / 1e6);
    measured.details().merge(Verdict.RATIO, p99 / before.getValueAtPercentile(99), Math::max);
    measured.details().merge(Verdict.SET_ASIDE, (double) setAside, Double::sum);
    measured.details().merge(Verdict.UNANSWERED, (double) unanswered, Double::sum);
    measured.details().merge("breakersOfHealthy", (double) healthyRefused, Double::sum);
  }
}
