package io.waybill.bench.scenario;

import io.waybill.bench.child.ChildMain.Role;
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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A backlog in each of the documented tables on PostgreSQL, beside a plain loop over the same table
 * and one over a table of its own.
 */
record AdoptedScenario(Stage stage, Options options, Results results) {
  private static final List<Candidate> CANDIDATES =
      List.of(
          Candidate.LOOP,
          Candidate.LOOP_NOTIFICATION,
          Candidate.WAYBILL_NOTIFICATION,
          Candidate.LOOP_EVENT_OUTBOX,
          Candidate.WAYBILL_EVENT_OUTBOX,
          Candidate.LOOP_WALLET,
          Candidate.WAYBILL_WALLET,
          Candidate.LOOP_POLYSHOP,
          Candidate.WAYBILL_POLYSHOP);

  void run() {
    DrainRun run = new DrainRun(stage, options, Variation.PLAIN);
    for (int round = 1; round <= options.rounds(); round++) {
      Map<Candidate.Table, Double> loops = new EnumMap<>(Candidate.Table.class);
      for (Candidate candidate : options.chosen(CANDIDATES)) {
        Measured measured = results.of(candidate);
        Span span = run.run(candidate, measured);
        Progress.show(candidate, round, options, span.rate(), "verified");
        if (candidate.role() == Role.LOOP) {
          loops.put(candidate.table(), span.rate());
        }
        compare(span, loops.get(Candidate.Table.PLAIN), Figure.RATIO_TO_LOOP, measured);
        compare(span, loops.get(candidate.table()), Figure.RATIO_TO_LOOP_ON_TABLE, measured);
      }
    }
  }

  private static void compare(Span span, @Nullable Double loop, Figure figure, Measured measured) {
    if (loop != null) {
      measured.add(figure, span.rate() / loop);
    }
  }
}
