package io.waybill.bench;

import io.waybill.bench.DrainRun.Variation;
import io.waybill.bench.Sample.Span;
import java.util.List;

/**
 * Waybill's own table on MariaDB: a backlog beside one on PostgreSQL, then business transactions at
 * a steady rate alone and beside a relay.
 */
record MariaDbScenario(Stage stage, Options options, Results results) {
  private static final List<Candidate> DRAINS =
      List.of(Candidate.WAYBILL_DELETE, Candidate.WAYBILL_MARIADB);
  private static final List<Candidate> INSERTS =
      List.of(Candidate.INSERTS_ALONE, Candidate.INSERTS_BESIDE_RELAY);

  void run() {
    DrainRun run = new DrainRun(stage, options, Variation.PLAIN);
    for (int round = 1; round <= options.rounds(); round++) {
      double postgres = 0;
      for (Candidate candidate : options.chosen(DRAINS)) {
        Measured measured = results.of(candidate);
        Span span = run.run(candidate, measured);
        Progress.show(candidate, round, options, span.rate(), "verified");
        if (candidate == Candidate.WAYBILL_DELETE) {
          postgres = span.rate();
        } else if (postgres > 0) {
          measured.add(Measured.Figure.SHARE_OF_POSTGRESQL, span.rate() / postgres);
        }
      }
      for (Candidate candidate : options.chosen(INSERTS)) {
        Measured measured = results.of(candidate);
        new InsertRun(stage, options, candidate == Candidate.INSERTS_BESIDE_RELAY).run(measured);
        Progress.show(
            "round %d  %-22s p50 %.3f ms"
                .formatted(
                    round, candidate.label(), measured.median(Measured.Figure.P50).orElse(0)));
      }
    }
  }
}
