package io.waybill.bench;

import io.waybill.bench.DrainRun.Variation;

/**
 * A relay whose broker is gone for long while events are written, and how it makes up for it.
 * Nobody touches the relay. Its peak is measured before.
 */
record OutageScenario(Stage stage, Options options, Results results) {
  void run() {
    Candidate candidate = Candidate.WAYBILL_RELAY;
    for (int round = 1; round <= options.rounds(); round++) {
      double peak =
          new DrainRun(stage, options, Variation.PLAIN).run(candidate, new Measured()).rate();
      Progress.show(candidate, round, options, peak, "peak");
      Measured measured = results.of(candidate);
      double rate = new OutageRun(stage, options).run(candidate, measured);
      measured.details().put("peakEventsPerSecond", peak);
      measured.details().put("recoveryShareOfPeak", rate / peak);
      Progress.show(candidate, round, options, rate, "recovery");
    }
  }
}
