package io.waybill.examples.wallet;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** What the document wants to have watched: queue size, latency, errors. */
final class Metrics {
  private static final Set<String> GAUGES =
      Set.of("wallet.outbox.queue.size", "waybill.oldest.unpublished.age");
  private static final Set<String> COUNTERS =
      Set.of(
          EventJson.FAILURES,
          "waybill.events.published",
          "waybill.events.retried",
          "waybill.events.dead");
  private static final Set<String> TIMERS =
      Set.of(
          "waybill.latency.creation.to.read",
          "waybill.latency.read.to.confirm",
          "waybill.latency.confirm.to.mark");

  private final MeterRegistry registry;

  Metrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Prints each meter in a line, summed over the workers. */
  void print(PrintStream out) {
    lines().forEach((name, value) -> out.printf(Locale.ROOT, "%-40s %s%n", name, value));
  }

  private Map<String, String> lines() {
    Map<String, String> lines = new TreeMap<>();
    for (String name : GAUGES) {
      double most = registry.find(name).gauges().stream().mapToDouble(Gauge::value).max().orElse(0);
      lines.put(name, String.format(Locale.ROOT, "%.0f", most));
    }
    for (String name : COUNTERS) {
      double sum = registry.find(name).counters().stream().mapToDouble(Counter::count).sum();
      lines.put(name, String.format(Locale.ROOT, "%,.0f", sum));
    }
    for (String name : TIMERS) {
      lines.put(name, latency(name));
    }
    return lines;
  }

  private String latency(String name) {
    long count = 0;
    double total = 0;
    double max = 0;
    for (Timer timer : registry.find(name).timers()) {
      count += timer.count();
      total += timer.totalTime(TimeUnit.MILLISECONDS);
      max = Math.max(max, timer.max(TimeUnit.MILLISECONDS));
    }
    double mean = count == 0 ? 0 : total / count;
    return String.format(Locale.ROOT, "mean %,.1f ms, most %,.1f ms", mean, max);
  }
}
