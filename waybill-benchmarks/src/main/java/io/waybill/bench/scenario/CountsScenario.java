package io.waybill.bench.scenario;

import io.waybill.bench.counts.Counts;
import io.waybill.bench.counts.Subject;
import io.waybill.bench.report.Results;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import java.util.List;
import java.util.Map;

/**
 * Counts that are the same on every machine, per event, per append, and of a history per minute;
 * see {@link Counts}.
 */
record CountsScenario(Options options) {
  private static final int TRANSACTIONS = 200;
  private static final int TEN = 10;
  private static final int MINUTES = 120;

  private static final List<Candidate> RELAYS =
      List.of(
          Candidate.WAYBILL_DELETE,
          Candidate.WAYBILL_KEEP,
          Candidate.WAYBILL_NOTIFICATION,
          Candidate.WAYBILL_EVENT_OUTBOX,
          Candidate.WAYBILL_WALLET,
          Candidate.WAYBILL_POLYSHOP);
  private static final List<Candidate> APPENDS = List.of(Candidate.APPEND, Candidate.APPEND_TEN);

  Results run() {
    try (Counts counts = Counts.launch()) {
      Results results = Results.of(Scenario.COUNTS.label(), counts.version(), "none");
      for (Candidate candidate : options.chosen(RELAYS)) {
        int events = Math.toIntExact(options.events());
        note(candidate, counts.relay(subject(candidate), events), results);
      }
      for (Candidate candidate : options.chosen(APPENDS)) {
        int events = candidate == Candidate.APPEND ? 1 : TEN;
        note(candidate, counts.append(events, TRANSACTIONS), results);
      }
      for (Candidate candidate : options.chosen(List.of(Candidate.HISTORY))) {
        note(candidate, counts.history(MINUTES), results);
      }
      return results;
    }
  }

  private static Subject subject(Candidate candidate) {
    if (candidate.table().isAdopted()) {
      return Subject.valueOf(candidate.table().name());
    }
    return candidate.keeps() ? Subject.KEEP : Subject.DELETE;
  }

  private static void note(Candidate candidate, Map<String, Double> figures, Results results) {
    results.of(candidate).details().putAll(figures);
    Progress.show("%-22s %s".formatted(candidate.label(), figures));
  }
}
