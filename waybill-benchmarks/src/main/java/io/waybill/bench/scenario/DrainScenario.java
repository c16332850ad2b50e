package io.waybill.bench.scenario;

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

/**
 * A backlog to the broker, by everybody, in interleaved rounds: first with a verifier on the same
 * cores, then without one for the share of the limit. The limit is what the cores could carry if
 * they did nothing but read, complete and send: the CPU per event of the client alone and of the
 * database alone, each with its server.
 */
record DrainScenario(Stage stage, Options options, Results results) {
  private static final List<Candidate> VERIFIED =
      List.of(
          Candidate.CLIENT,
          Candidate.DATABASE,
          Candidate.LOOP,
          Candidate.WAYBILL_KEEP,
          Candidate.WAYBILL_DELETE);
  private static final List<Candidate> UNVERIFIED =
      List.of(
          Candidate.CLIENT, Candidate.DATABASE, Candidate.WAYBILL_KEEP, Candidate.WAYBILL_DELETE);

  void run() {
    for (int round = 1; round <= options.rounds(); round++) {
      verifiedRound(round);
      unverifiedRound(round);
    }
  }

  private void verifiedRound(int round) {
    DrainRun run = new DrainRun(stage, options, Variation.PLAIN);
    double loop = 0;
    for (Candidate candidate : options.chosen(VERIFIED)) {
      Measured measured = results.of(candidate);
      Span span = run.run(candidate, measured);
      Progress.show(candidate, round, options, span.rate(), "verified");
      if (candidate == Candidate.LOOP) {
        loop = span.rate();
      }
      if (loop > 0) {
        measured.add(Figure.RATIO_TO_LOOP, span.rate() / loop);
      }
    }
  }

  private void unverifiedRound(int round) {
    DrainRun run = new DrainRun(stage, options, Variation.PLAIN.unverified());
    Map<Candidate, Span> spans = new EnumMap<>(Candidate.class);
    for (Candidate candidate : options.chosen(UNVERIFIED)) {
      Span span = run.run(candidate, new Measured());
      Progress.show(candidate, round, options, span.rate(), "no verifier");
      spans.put(candidate, span);
    }
    if (!spans.keySet().containsAll(List.of(Candidate.CLIENT, Candidate.DATABASE))) {
      return;
    }
    double limit = limit(List.copyOf(spans.values()));
    spans.forEach(
        (candidate, span) -> {
          Measured measured = results.of(candidate);
          measured.add(Figure.SHARE_OF_LIMIT, span.rate() / limit);
          measured.details().put("unverifiedEventsPerSecond", span.rate());
          measured.details().put("limitEventsPerSecond", limit);
        });
  }

  /** From the spans in the order of the candidates: client, database. */
  private static double limit(List<Span> spans) {
    Span client = spans.get(0);
    Span database = spans.get(1);
    double cpuPer1000 = client.relay() + client.broker() + database.relay() + database.database();
    return Runtime.getRuntime().availableProcessors() * 1000 / cpuPer1000;
  }
}
