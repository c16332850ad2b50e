package io.waybill.bench.scenario;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Results;
import io.waybill.bench.run.CappedDrain;
import io.waybill.bench.run.CappedDrain.Outcome;
import io.waybill.bench.run.Sample.Span;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A backlog for one, two and four instances on the same cores. */
record InstancesScenario(Stage stage, Options options, Results results) {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final List<Candidate> CANDIDATES =
      List.of(
          Candidate.LOOP_1,
          Candidate.LOOP_2,
          Candidate.LOOP_4,
          Candidate.WAYBILL_1,
          Candidate.WAYBILL_2,
          Candidate.WAYBILL_4);

  void run() {
    for (int round = 1; round <= options.rounds(); round++) {
      Map<Candidate.Table, Double> ones = new EnumMap<>(Candidate.Table.class);
      for (Candidate candidate : options.chosen(CANDIDATES)) {
        Measured measured = results.of(candidate);
        Span span = drain(candidate, measured);
        Progress.show(candidate, round, options, span.rate(), "verified");
        if (candidate.instances() == 1) {
          ones.put(candidate.table(), span.rate());
        }
        compare(span, ones.get(Candidate.Table.PLAIN), Figure.RATIO_TO_LOOP, measured);
        compare(span, ones.get(candidate.table()), Figure.RATIO_TO_ONE_INSTANCE, measured);
      }
    }
  }

  private Span drain(Candidate candidate, Measured measured) {
    Outcome outcome =
        new CappedDrain(
                stage,
                options.events(),
                options.keys(),
                options.format(),
                candidate.instances(),
                LIMIT.plusMillis(options.events() * 5))
            .run(candidate);
    if (!outcome.complete()) {
      throw new IllegalStateException(
          outcome.timeline().last().completed()
              + " of "
              + options.events()
              + " events are done in time");
    }
    Span span = outcome.timeline().warm();
    span.addTo(measured);
    measured.add(Figure.PEAK_RSS, outcome.peakRssMb());
    measured.add(Figure.CONSUMER_CPU, span.consumer());
    outcome.judge(measured);
    return span;
  }

  private static void compare(Span span, @Nullable Double other, Figure figure, Measured measured) {
    if (other != null) {
      measured.add(figure, span.rate() / other);
    }
  }
}
