package io.waybill.bench.compare;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.run.CappedDrain;
import io.waybill.bench.run.CappedDrain.Outcome;
import io.waybill.bench.run.LiveRun;
import io.waybill.bench.run.Sample.Span;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Contender;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Waybill, its yardsticks and its rivals at the same work, in interleaved rounds. What fails for
 * one of them is noted, and the others go on.
 *
 * @param stage the servers
 * @param options size
 * @param rivals those that were built
 * @param results figures by candidate
 * @param failures what failed, for the report
 */
record Comparison(
    Stage stage,
    CompareOptions options,
    List<Rival> rivals,
    Map<Contender, Measured> results,
    List<String> failures) {
  private static final List<Candidate> OWN =
      List.of(
          Candidate.CLIENT,
          Candidate.DATABASE,
          Candidate.LOOP,
          Candidate.WAYBILL_KEEP,
          Candidate.WAYBILL_DELETE);
  private static final List<Candidate> LIVE =
      List.of(Candidate.LOOP, Candidate.WAYBILL_IN_PROCESS, Candidate.WAYBILL_RELAY);
  private static final List<Candidate> HOT_KEY =
      List.of(Candidate.CLIENT, Candidate.LOOP, Candidate.WAYBILL_KEEP, Candidate.WAYBILL_DELETE);
  private static final List<Candidate> SHARED =
      List.of(Candidate.LOOP, Candidate.WAYBILL_KEEP, Candidate.WAYBILL_DELETE);

  Comparison(Stage stage, CompareOptions options, List<Rival> rivals) {
    this(stage, options, rivals, new LinkedHashMap<>(), new ArrayList<>());
  }

  /** Does everything. */
  void run() {
    for (int round = 1; round <= options.rounds(); round++) {
      drains(round);
      for (Contender candidate : with(LIVE, rivals)) {
        attempt("latency", round, candidate, () -> live(candidate));
      }
      if (!options.quick()) {
        List<Rival> tuned = rivals.stream().filter(Rival::tuned).toList();
        for (Contender candidate : with(HOT_KEY, tuned)) {
          attempt("hot key", round, candidate, () -> alone(candidate, Figure.HOT_KEY_RATE, 1, 1));
        }
        List<Rival> shared = tuned.stream().filter(rival -> rival.kind().shared()).toList();
        for (Contender candidate : with(SHARED, shared)) {
          attempt(
              "2 instances",
              round,
              candidate,
              () -> alone(candidate, Figure.TWO_INSTANCES_RATE, options.keys(), 2));
        }
      }
    }
  }

  private List<Contender> with(List<Candidate> own, List<Rival> others) {
    List<Contender> all = new ArrayList<>(own);
    all.addAll(others);
    return all.stream().filter(options::chosen).toList();
  }

  private interface Figured {
    /** Returns what is shown as progress. */
    String measure();
  }

  private void attempt(String what, int round, Contender candidate, Figured figured) {
    String name =
        String.format(
            Locale.ROOT,
            "round %d/%d  %-11s %-27s ",
            round,
            options.rounds(),
            what,
            candidate.label());
    try {
      Progress.show(name + figured.measure());
    } catch (RuntimeException e) {
      failures.add(candidate.label() + ", " + what + ", round " + round + ": " + e.getMessage());
      Progress.show(name + "FAILED: " + e.getMessage());
    }
  }

  private Measured of(Contender candidate) {
    return results.computeIfAbsent(candidate, c -> new Measured());
  }

  private void drains(int round) {
    Map<Contender, Outcome> outcomes = new LinkedHashMap<>();
    for (Contender candidate : with(OWN, rivals)) {
      attempt(
          "drain",
          round,
          candidate,
          () -> {
            Outcome outcome = drain(candidate, options.keys(), 1);
            outcomes.put(candidate, outcome);
            note(candidate, outcome);
            return shown(outcome);
          });
    }
    ratios(outcomes);
  }

  private Outcome drain(Contender candidate, int keys, int instances) {
    return new CappedDrain(
            stage,
            options.backlog(candidate),
            keys,
            "raw",
            instances,
            Duration.ofSeconds(options.capSeconds()))
        .run(candidate);
  }

  private static String shown(Outcome outcome) {
    return String.format(
        Locale.ROOT,
        "%,8.0f events/s warm, %,8.0f cold%s",
        outcome.timeline().warm().rate(),
        outcome.timeline().cold().rate(),
        outcome.complete()
            ? ""
            : String.format(
                Locale.ROOT,
                ", stopped at the cap after %,d",
                outcome.timeline().last().completed()));
  }

  private void note(Contender candidate, Outcome outcome) {
    Measured measured = of(candidate);
    Span warm = outcome.timeline().warm();
    measured.add(Figure.RATE, warm.rate());
    measured.add(Figure.COLD_RATE, outcome.timeline().cold().rate());
    measured.add(Figure.RELAY_CPU, warm.relay());
    measured.add(Figure.DATABASE_CPU, warm.database());
    measured.add(Figure.BROKER_CPU, warm.broker());
    measured.add(Figure.PEAK_RSS, outcome.peakRssMb());
    if (outcome.verdict() != null) {
      measured.add(Figure.CONSUMER_CPU, warm.consumer());
    }
    measured.details().put("backlog", (double) options.backlog(candidate));
    measured.details().put("measuredEvents", (double) outcome.timeline().last().completed());
    measured.details().put("stoppedAtCap", outcome.complete() ? 0.0 : 1.0);
    measured.details().put("secondsToFirstEvent", outcome.timeline().secondsToFirst());
    outcome.judge(measured);
  }

  /** Against the loop, and Waybill's against each rival, of the same round. */
  private void ratios(Map<Contender, Outcome> outcomes) {
    Outcome loop = outcomes.get(Candidate.LOOP);
    outcomes.forEach(
        (candidate, outcome) -> {
          Measured measured = of(candidate);
          if (loop != null) {
            measured.add(Figure.RATIO_TO_LOOP, warm(outcome) / warm(loop));
            measured.add(Figure.COLD_RATIO_TO_LOOP, cold(outcome) / cold(loop));
          }
        });
  }

  private static double warm(Outcome outcome) {
    return outcome.timeline().warm().rate();
  }

  private static double cold(Outcome outcome) {
    return outcome.timeline().cold().rate();
  }

  private String alone(Contender candidate, Figure figure, int keys, int instances) {
    Outcome outcome = drain(candidate, keys, instances);
    Measured measured = of(candidate);
    measured.add(figure, outcome.timeline().warm().rate());
    outcome.judge(measured);
    return shown(outcome);
  }

  private String live(Contender candidate) {
    Measured run = new Measured();
    new LiveRun(stage, options.forLiveRun(), options.livePlan(), options.graceSeconds())
        .run(candidate, run);
    Measured measured = of(candidate);
    measured.addLatencies(run);
    if (candidate == Candidate.WAYBILL_IN_PROCESS || candidate == Candidate.WAYBILL_RELAY) {
      run.median(Figure.RATE).ifPresent(value -> measured.add(Figure.RATE, value));
    }
    run.details()
        .forEach(
            (name, value) -> {
              if (name.equals("maxMs") || name.equals("pendingAtEnd")) {
                measured.details().put(name, value);
              }
            });
    return String.format(
        Locale.ROOT,
        "p50 %.1f ms, p99 %.1f ms",
        run.median(Figure.P50).orElse(Double.NaN),
        run.median(Figure.P99).orElse(Double.NaN));
  }
}
