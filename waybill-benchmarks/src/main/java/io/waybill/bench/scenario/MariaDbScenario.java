package io.waybill.bench.scenario;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Results;
import io.waybill.bench.run.DrainRun;
import io.waybill.bench.run.DrainRun.Variation;
import io.waybill.bench.run.LiveRun;
import io.waybill.bench.run.Sample.Span;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import java.util.List;

/**
 * Waybill's own table on MariaDB: a backlog beside one on PostgreSQL and beside the plain loop, the
 * latency of both, then business transactions at a steady rate alone and beside a relay.
 */
record MariaDbScenario(Stage stage, Options options, Results results) {
  private static final List<Candidate> DRAINS =
      List.of(Candidate.WAYBILL_DELETE, Candidate.LOOP_MARIADB, Candidate.WAYBILL_MARIADB);
  private static final List<Candidate> LIVE =
      List.of(Candidate.LOOP_MARIADB, Candidate.WAYBILL_MARIADB);
  private static final List<Candidate> INSERTS =
      List.of(Candidate.INSERTS_ALONE, Candidate.INSERTS_BESIDE_RELAY);

  void run() {
    for (int round = 1; round <= options.rounds(); round++) {
      drains(round);
      for (Candidate candidate : options.chosen(LIVE)) {
        Measured run = new Measured();
        new LiveRun(stage, options, LatencyScenario.plan(options)).run(candidate, run);
        results.of(candidate).addLatencies(run);
        show(round, candidate, run);
      }
      for (Candidate candidate : options.chosen(INSERTS)) {
        Measured measured = results.of(candidate);
        new InsertRun(stage, options, candidate == Candidate.INSERTS_BESIDE_RELAY).run(measured);
        show(round, candidate, measured);
      }
    }
  }

  private void drains(int round) {
    DrainRun run = new DrainRun(stage, options, Variation.PLAIN);
    double postgres = 0;
    double loop = 0;
    for (Candidate candidate : options.chosen(DRAINS)) {
      Measured measured = results.of(candidate);
      Span span = run.run(candidate, measured);
      Progress.show(candidate, round, options, span.rate(), "verified");
      switch (candidate) {
        case WAYBILL_DELETE -> postgres = span.rate();
        case LOOP_MARIADB -> loop = span.rate();
        default -> {
          compare(measured, Figure.SHARE_OF_POSTGRESQL, span.rate(), postgres);
          compare(measured, Figure.RATIO_TO_LOOP, span.rate(), loop);
        }
      }
    }
  }

  /** Unless the other was left out. */
  private static void compare(Measured measured, Figure figure, double rate, double other) {
    if (other > 0) {
      measured.add(figure, rate / other);
    }
  }

  private static void show(int round, Candidate candidate, Measured measured) {
    Progress.show(
        "round %d  %-22s p50 %.3f ms"
            .formatted(round, candidate.label(), measured.median(Figure.P50).orElse(0)));
  }
}
