package io.waybill.bench.refusal;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Results;
import io.waybill.bench.report.Verdict;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Stage;
import io.waybill.proof.server.PostgresServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Each way in which a destination can refuse for a while, all of a broker at the same time, each
 * with a database and a relay of its own, beside one of which no destination refuses.
 */
public record RefusalsScenario(Options options) {
  /** Measures them. */
  public Results run() {
    try (PostgresServer postgres = PostgresServer.launch();
        RefusalStage stage = RefusalStage.launch(options.broker())) {
      Results results =
          Results.of(
              "refusals",
              "PostgreSQL " + Stage.ask(postgres.jdbcUrl(), "show server_version"),
              options.broker().toString());
      // All begin at the same time, so that the one without refusals says what the machine does.
      Map<RefusalRun, Measured> runs = new LinkedHashMap<>();
      for (Candidate kind : options.chosen(stage.kinds())) {
        String url = postgres.createDatabase(kind.label().replace('-', '_'));
        runs.put(new RefusalRun(options, kind, stage.create(kind), url), results.of(kind));
      }
      ExecutorService pool = Executors.newFixedThreadPool(runs.size());
      try {
        List<Future<Measured>> running = new ArrayList<>();
        runs.forEach((run, measured) -> running.add(pool.submit(() -> run.run(measured))));
        for (Future<Measured> one : running) {
          Measured unused = one.get();
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("A kind of refusal could not be measured", e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted", e);
      } finally {
        pool.shutdownNow();
      }
      compare(results);
      return results;
    }
  }

  /** A busy machine makes all of them slow at the same time, the one without refusals too. */
  private static void compare(Results results) {
    Measured without = results.candidates().get(Candidate.WITHOUT);
    if (without != null) {
      double p99 = without.median(Figure.P99).orElse(Double.NaN);
      for (Measured measured : results.candidates().values()) {
        double ratio = measured.median(Figure.P99).orElse(Double.NaN) / p99;
        measured.details().put(Verdict.RATIO_TO_WITHOUT, ratio);
      }
    }
  }
}
