package io.waybill.bench.scenario;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Results;
import io.waybill.bench.run.LiveRun;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import java.time.Duration;
import java.util.List;

/**
 * Business transactions of one event each at a steady rate: how long from the commit to the
 * broker's confirm, and to the consumer.
 */
record LatencyScenario(Stage stage, Options options, Results results) {
  private static final List<Candidate> CANDIDATES =
      List.of(Candidate.LOOP, Candidate.WAYBILL_IN_PROCESS, Candidate.WAYBILL_RELAY);

  void run() {
    for (int round = 1; round <= options.rounds(); round++) {
      for (Candidate candidate : options.chosen(CANDIDATES)) {
        Measured measured = results.of(candidate);
        new LiveRun(stage, options, plan(options)).run(candidate, measured);
        Progress.show(
            "round %d  %-18s p99 %.1f ms"
                .formatted(round, candidate.label(), measured.median(Figure.P99).orElse(0)));
      }
    }
  }

  static LiveRun.Plan plan(Options options) {
    long warm = (long) options.rate() * options.warmSeconds();
    long events = warm + (long) options.rate() * options.seconds();
    // A commit takes up to a few milliseconds; writers enough that they never limit the rate.
    int threads = Math.max(1, Math.min(16, options.rate() / 150));
    long interval = Duration.ofSeconds(1).toNanos() / options.rate();
    return new LiveRun.Plan(events - events % threads, warm, threads, interval, 0);
  }
}
