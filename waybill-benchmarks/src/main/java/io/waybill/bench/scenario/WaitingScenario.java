package io.waybill.bench.scenario;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Results;
import io.waybill.bench.report.Verdict;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import java.util.List;

/**
 * An outage beside writers of each documented table: whether the first waiting row of each key
 * tells why it waits, and what that costs the database. The yardstick is the same outage with a
 * layout that leaves the columns for it alone.
 */
record WaitingScenario(Stage stage, Options options, Results results) {
  private static final List<Candidate> CANDIDATES =
      List.of(
          Candidate.WAYBILL_NOTIFICATION,
          Candidate.WAYBILL_EVENT_OUTBOX,
          Candidate.WAYBILL_WALLET,
          Candidate.WAYBILL_POLYSHOP);

  void run() {
    WaitingRun run = new WaitingRun(stage, options);
    for (Candidate candidate : options.chosen(CANDIDATES)) {
      Measured measured = results.of(candidate);
      WaitingRun.Cost silent = WaitingRun.Cost.NONE;
      WaitingRun.Cost told = WaitingRun.Cost.NONE;
      for (int round = 1; round <= options.rounds(); round++) {
        silent = silent.plus(run.run(candidate, true, new Measured()));
        told = told.plus(run.run(candidate, false, measured));
      }
      double writes =
          (double) (told.updates() - silent.updates()) / (told.minutes() * options.keys());
      measured.details().put(Verdict.WRITES, writes);
      measured.details().put(Verdict.CPU_RATIO, told.cpuSeconds() / silent.cpuSeconds());
      measured.details().put(Verdict.LOG_RATIO, (double) told.logBytes() / silent.logBytes());
      measured.details().put("databaseCpuSeconds", told.cpuSeconds());
      Progress.show(
          "%s: CPU %.2f s and %.2f s silent, log %d and %d KB, %.2f writes per key and minute"
              .formatted(
                  candidate.label(),
                  told.cpuSeconds(),
                  silent.cpuSeconds(),
                  told.logBytes() / 1024,
                  silent.logBytes() / 1024,
                  writes));
    }
  }
}
