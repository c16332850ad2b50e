package io.waybill.bench.scenario;

import io.waybill.bench.report.Measured;
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

/** A backlog for one relay, beside the API: while nobody listens to it, and while clients do. */
record StreamsScenario(Stage stage, Options options, Results results) {
  private static final int CLIENTS = 5;

  void run() {
    for (int round = 1; round <= options.rounds(); round++) {
      double alone = 0;
      for (Candidate candidate :
          options.chosen(List.of(Candidate.STREAMS_NONE, Candidate.STREAMS_FIVE))) {
        int clients = candidate == Candidate.STREAMS_FIVE ? CLIENTS : 0;
        Measured measured = results.of(candidate);
        Span span =
            new DrainRun(stage, options, Variation.PLAIN.unverified())
                .run(candidate, measured, ground -> Streams.start(ground, clients));
        Progress.show(candidate, round, options, span.rate(), "unverified");
        if (clients == 0) {
          alone = span.rate();
        } else if (alone > 0) {
          measured.add(Figure.SHARE_OF_ALONE, span.rate() / alone);
        }
      }
    }
  }
}
