package io.waybill.bench.scenario;

import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Results;
import io.waybill.bench.run.DrainRun;
import io.waybill.bench.run.DrainRun.Variation;
import io.waybill.bench.run.Sample.Span;
import io.waybill.bench.run.Streams;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import java.util.List;

/**
 * A backlog for one relay, beside the API: while nobody listens to it, and while clients do. Which
 * of them is first alternates.
 */
record StreamsScenario(Stage stage, Options options, Results results) {
  private static final int CLIENTS = 5;

  void run() {
    for (int round = 1; round <= options.rounds(); round++) {
      double alone = 0;
      double beside = 0;
      for (Candidate candidate : options.chosen(inTurn(round))) {
        int clients = candidate == Candidate.STREAMS_FIVE ? CLIENTS : 0;
        Span span =
            new DrainRun(stage, options, Variation.PLAIN.unverified())
                .run(candidate, results.of(candidate), ground -> Streams.start(ground, clients));
        Progress.show(candidate, round, options, span.rate(), "unverified");
        if (clients == 0) {
          alone = span.rate();
        } else {
          beside = span.rate();
        }
      }
      if (alone > 0 && beside > 0) {
        results.of(Candidate.STREAMS_FIVE).add(Figure.SHARE_OF_ALONE, beside / alone);
      }
    }
  }

  /** A machine that becomes faster or slower in the course of a run favours neither. */
  private static List<Candidate> inTurn(int round) {
    return round % 2 == 1
        ? List.of(Candidate.STREAMS_NONE, Candidate.STREAMS_FIVE)
        : List.of(Candidate.STREAMS_FIVE, Candidate.STREAMS_NONE);
  }
}
