package io.waybill.bench.takeover;

import io.waybill.bench.report.Results;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Stage;
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
  private static final List<Candidate> CANDIDATES =
      Arrays.stream(Fault.values()).map(Fault::candidate).toList();

  /** Measures. */
  public void run() {
    for (Candidate candidate : options.chosen(CANDIDATES)) {
      new TakeoverRun(stage, options, Fault.of(candidate)).run(results.of(candidate));
    }
  }
}
