package io.waybill.bench.scenario;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Results;
import io.waybill.bench.report.Verdict;
import io.waybill.bench.run.DrainRun;
import io.waybill.bench.run.DrainRun.Variation;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;

/**
 * A relay whose broker is gone for long while events are written, and how it makes up for it.
 * Nobody touches the relay. Its peak is what it makes up for in the same company when nothing has
 * failed: an operator has paused the destination for as long. A drain without writers goes before.
 */
record OutageScenario(Stage stage, Options options, Results results) {
  void run() {
    Candidate candidate = Candidate.WAYBILL_RELAY;
    for (int round = 1; round <= options.rounds(); round++) {
      double drain =
          new DrainRun(stage, options, Variation.PLAIN).run(candidate, new Measured()).rate();
      Progress.show(candidate, round, options, drain, "drain");
      Measured measured = results.of(candidate);
      OutageRun.Rates rates = new OutageRun(stage, options).run(candidate, measured);
      measured.details().put("drainEventsPerSecond", drain);
      measured.details().put("peakEventsPerSecond", rates.peak());
      double share = rates.recovery() / rates.peak();
      measured.details().merge(Verdict.SHARE_OF_PEAK, share, Math::min);
      measured.details().put("recoveryShareOfDrain", rates.recovery() / drain);
      Progress.show(candidate, round, options, rates.peak(), "peak");
      Progress.show(candidate, round, options, rates.recovery(), "recovery");
    }
  }
}
