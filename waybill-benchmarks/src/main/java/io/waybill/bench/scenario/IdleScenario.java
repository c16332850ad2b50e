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
 * What a relay costs while nothing happens, and how long the first event after a silence takes from
 * its commit to the broker's confirm.
 */
record IdleScenario(Stage stage, Options options, Results results) {
  private static final List<Candidate> CANDIDATES =
      List.of(Candidate.LOOP, Candidate.WAYBILL_RELAY);

  void run() {
    // The first one finds cold code.
    long warm = 1;
    long interval = (long) (options.pauseSeconds() * 1e9);
    LiveRun.Plan plan =
        new LiveRun.Plan(options.samples() + warm, warm, 1, interval, options.seconds());
    for (Candidate candidate : options.chosen(CANDIDATES)) {
      Measured measured = results.of(candidate);
      new LiveRun(stage, options, plan).run(candidate, measured);
      Progress.show(
          "%-18s %.2f %% of a core"
              .formatted(candidate.label(), measured.median(Figure.IDLE_CPU).orElse(0)));
    }
  }
}
