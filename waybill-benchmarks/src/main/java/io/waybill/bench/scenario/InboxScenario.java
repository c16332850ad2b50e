package io.waybill.bench.scenario;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Results;
import io.waybill.bench.run.Sample.Span;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A backlog in the broker, a trivial effect in the database: the inbox beside consumers without
 * one, event by event and in batches, with the same number of threads and connections.
 */
record InboxScenario(Stage stage, Options options, Results results) {
  private static final List<Candidate> CANDIDATES =
      List.of(Candidate.CONSUMER, Candidate.INBOX, Candidate.INBOX_BATCH);

  void run() {
    InboxRun run = new InboxRun(stage, options);
    for (int round = 1; round <= options.rounds(); round++) {
      Map<Candidate, Double> rates = new EnumMap<>(Candidate.class);
      for (Candidate candidate : options.chosen(CANDIDATES)) {
        Measured measured = results.of(candidate);
        Span span = run.run(candidate, measured);
        Progress.show(candidate, round, options, span.rate(), "verified");
        rates.put(candidate, span.rate());
        compare(span, rates.get(Candidate.CONSUMER), Figure.RATIO_TO_CONSUMER, measured);
        compare(span, rates.get(Candidate.INBOX), Figure.RATIO_TO_SINGLE, measured);
      }
    }
  }

  private static void compare(Span span, @Nullable Double other, Figure figure, Measured measured) {
    if (other != null) {
      measured.add(figure, span.rate() / other);
    }
  }
}
