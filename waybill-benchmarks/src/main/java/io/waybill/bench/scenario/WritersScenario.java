package io.waybill.bench.scenario;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Results;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import java.util.List;

/** Writers at full speed, alone and beside a relay. */
record WritersScenario(Stage stage, Options options, Results results) {
  private static final List<Candidate> CANDIDATES =
      List.of(Candidate.WRITERS_ALONE, Candidate.WRITERS_BESIDE_RELAY);

  void run() {
    for (int round = 1; round <= options.rounds(); round++) {
      double alone = 0;
      for (Candidate candidate : options.chosen(CANDIDATES)) {
        Measured measured = results.of(candidate);
        boolean relay = candidate == Candidate.WRITERS_BESIDE_RELAY;
        double rate = new WritersRun(stage, options, relay).run(measured);
        Progress.show(candidate, round, options, rate, "committed");
        if (!relay) {
          alone = rate;
        } else if (alone > 0) {
          measured.add(Figure.SHARE_OF_ALONE, rate / alone);
        }
      }
    }
  }
}
