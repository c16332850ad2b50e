package io.waybill.bench.scenario;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Results;
import io.waybill.bench.run.DrainRun;
import io.waybill.bench.run.DrainRun.Variation;
import io.waybill.bench.run.Sample.Span;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import java.util.List;

/** A backlog of many keys, each with few events. */
record KeysScenario(Stage stage, Options options, Results results) {
  private static final List<Candidate> CANDIDATES =
      List.of(Candidate.LOOP, Candidate.WAYBILL_KEEP, Candidate.WAYBILL_DELETE);

  void run() {
    DrainRun run = new DrainRun(stage, options, Variation.PLAIN);
    for (int round = 1; round <= options.rounds(); round++) {
      double loop = 0;
      for (Candidate candidate : options.chosen(CANDIDATES)) {
        Measured measured = results.of(candidate);
        Span span = run.run(candidate, measured);
        Progress.show(candidate, round, options, span.rate(), options.keys() + " keys");
        loop = candidate == Candidate.LOOP ? span.rate() : loop;
        if (loop > 0) {
          measured.add(Figure.RATIO_TO_LOOP, span.rate() / loop);
        }
      }
    }
  }
}
