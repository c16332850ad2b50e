package io.waybill.bench.scenario;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Results;
import io.waybill.bench.run.DrainRun;
import io.waybill.bench.run.DrainRun.Variation;
import io.waybill.bench.run.Sample.Span;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import java.util.List;

/** A drain while a transaction elsewhere holds a snapshot open, beside one without. */
record SnapshotScenario(Stage stage, Options options, Results results) {
  private static final List<Candidate> CANDIDATES =
      List.of(Candidate.LOOP, Candidate.WAYBILL_KEEP, Candidate.WAYBILL_DELETE);

  void run() {
    DrainRun without = new DrainRun(stage, options, Variation.PLAIN);
    DrainRun with = new DrainRun(stage, options, Variation.PLAIN.withSnapshotHeld());
    for (int round = 1; round <= options.rounds(); round++) {
      double loop = 0;
      for (Candidate candidate : options.chosen(CANDIDATES)) {
        Measured free = new Measured();
        Span alone = without.run(candidate, free);
        Progress.show(candidate, round, options, alone.rate(), "free");
        Measured measured = results.of(candidate);
        Span held = with.run(candidate, measured);
        Progress.show(candidate, round, options, held.rate(), "held");
        loop = candidate == Candidate.LOOP ? held.rate() : loop;
        if (loop > 0) {
          measured.add(Measured.Figure.RATIO_TO_LOOP, held.rate() / loop);
        }
        measured.add(Measured.Figure.SHARE_OF_FREE, held.rate() / alone.rate());
      }
    }
  }
}
