package io.waybill.bench.scenario;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Results;
import io.waybill.bench.run.LiveRun;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import java.util.List;

/**
 * Live load while a transaction that has written an event is held open, beside the same load
 * without one: nobody's events may wait for it, and its own event arrives when it commits.
 */
record HeldScenario(Stage stage, Options options, Results results) {
  private static final List<Candidate> CANDIDATES =
      List.of(Candidate.LOOP, Candidate.WAYBILL_RELAY);

  void run() {
    LiveRun.Plan plan = LatencyScenario.plan(options);
    for (int round = 1; round <= options.rounds(); round++) {
      for (Candidate candidate : options.chosen(CANDIDATES)) {
        Measured free = new Measured();
        new LiveRun(stage, options, plan).run(candidate, free);
        show(round, candidate, "free", free);
        Measured measured = results.of(candidate);
        new LiveRun(stage, options, plan.whileOneIsHeld()).run(candidate, measured);
        show(round, candidate, "held", measured);
        measured.details().put("freeP50Ms", free.median(Figure.P50).orElse(0));
        measured.details().put("freeP99Ms", free.median(Figure.P99).orElse(0));
      }
    }
  }

  private static void show(int round, Candidate candidate, String how, Measured measured) {
    Progress.show(
        "round %d  %-18s %s: p99 %.1f ms"
            .formatted(round, candidate.label(), how, measured.median(Figure.P99).orElse(0)));
  }
}
