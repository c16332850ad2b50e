package io.waybill.bench.takeover;

import io.waybill.bench.report.Results;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Stage;
import io.waybill.database.DatabaseKind;
import java.util.Arrays;
import java.util.List;

/**
 * How long keys stand still when one of several relays ends, starts or stops.
 *
 * @param stage the servers
 * @param options size of the run
 * @param results figures by fault
 */
public record TakeoverScenario(Stage stage, Options options, Results results) {
  /** Measures. */
  public void run() {
    for (Candidate candidate : options.chosen(candidates())) {
      new TakeoverRun(stage, options, Fault.of(candidate)).run(results.of(candidate));
    }
  }

  private List<Candidate> candidates() {
    return Arrays.stream(Fault.values())
        .filter(fault -> fault != Fault.CUT || options.database() == DatabaseKind.POSTGRESQL)
        .map(Fault::candidate)
        .toList();
  }
}
