package io.waybill.bench.scenario;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Results;
import io.waybill.bench.run.DrainRun;
import io.waybill.bench.run.DrainRun.Variation;
import io.waybill.bench.run.LiveRun;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import java.time.Duration;
import java.util.List;

/**
 * Live load at half of the rate at which the candidate has just drained a backlog, in transactions
 * of some events: how long each event takes.
 */
record HalfPeakScenario(Stage stage, Options options, Results results) {
  private static final List<Candidate> CANDIDATES =
      List.of(Candidate.LOOP, Candidate.WAYBILL_DELETE);
  private static final int THREADS = 4;
  private static final int EVENTS_PER_TRANSACTION = 50;

  void run() {
    for (int round = 1; round <= options.rounds(); round++) {
      for (Candidate candidate : options.chosen(CANDIDATES)) {
        double peak =
            new DrainRun(stage, options, Variation.PLAIN).run(candidate, new Measured()).rate();
        Progress.show(candidate, round, options, peak, "peak");
        Measured measured = results.of(candidate);
        new LiveRun(stage, options, plan(peak / 2)).run(candidate, measured);
        measured.details().put("peakEventsPerSecond", peak);
        measured.details().put("askedEventsPerSecond", peak / 2);
        Progress.show(
            "round %d  %-18s at half of it: p99 %.1f ms"
                .formatted(round, candidate.label(), measured.median(Figure.P99).orElse(0)));
      }
    }
  }

  private LiveRun.Plan plan(double rate) {
    long unit = (long) THREADS * EVENTS_PER_TRANSACTION;
    long warm = (long) (rate * options.warmSeconds());
    long events = (long) (rate * (options.warmSeconds() + options.seconds())) / unit * unit;
    long interval = (long) (Duration.ofSeconds(1).toNanos() / rate);
    return new LiveRun.Plan(Math.max(unit, events), warm, THREADS, interval, 0)
        .inTransactionsOf(EVENTS_PER_TRANSACTION);
  }
}
