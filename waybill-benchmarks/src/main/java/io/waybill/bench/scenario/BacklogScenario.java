package io.waybill.bench.scenario;

import io.waybill.bench.report.Results;
import io.waybill.bench.run.DrainRun;
import io.waybill.bench.run.DrainRun.Variation;
import io.waybill.bench.run.Sample.Span;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import java.util.List;

/** A large backlog with a small heap: reads have to take as long at its end as at its start. */
record BacklogScenario(Stage stage, Options options, Results results) {
  private static final int HEAP_MB = 128;
  private static final List<Candidate> CANDIDATES =
      List.of(Candidate.WAYBILL_KEEP, Candidate.WAYBILL_DELETE);

  void run() {
    DrainRun run = new DrainRun(stage, options, new Variation(true, false, HEAP_MB, true));
    for (int round = 1; round <= options.rounds(); round++) {
      for (Candidate candidate : options.chosen(CANDIDATES)) {
        Span span = run.run(candidate, results.of(candidate));
        Progress.show(candidate, round, options, span.rate(), "128 MB heap");
      }
    }
  }
}
