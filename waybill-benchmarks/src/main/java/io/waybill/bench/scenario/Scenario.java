package io.waybill.bench.scenario;

import io.waybill.bench.refusal.RefusalsScenario;
import io.waybill.bench.report.Report;
import io.waybill.bench.report.Results;
import io.waybill.bench.report.Verdict;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Stage;
import io.waybill.bench.takeover.TakeoverScenario;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What can be measured. */
public enum Scenario {
  DRAIN,
  LATENCY,
  HOTKEY,
  IDLE,
  SNAPSHOT,
  BACKLOG,
  ADOPTED,
  MARIADB,
  COUNTS,
  HALF_PEAK,
  KEYS,
  INSTANCES,
  HELD,
  OUTAGE,
  WAITING,
  TAKEOVER,
  ISOLATION,
  REFUSALS,
  WRITERS,
  INBOX,
  INBOX_FAILING_KEY,
  INBOX_RESTART,
  BOUNDS,
  STREAMS,
  LISTINGS,
  MICRO;

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return label();
  }

  /** Whether one round of it takes long, or more of them say little more. */
  public boolean once() {
    return switch (this) {
      case BACKLOG,
          LATENCY,
          COUNTS,
          HALF_PEAK,
          HELD,
          OUTAGE,
          WAITING,
          ISOLATION,
          REFUSALS,
          INBOX_FAILING_KEY,
          INBOX_RESTART,
          BOUNDS,
          LISTINGS ->
          true;
      default -> false;
    };
  }

  /** Measures. */
  public Report run(Options options) {
    if (this == MICRO) {
      return new MicroScenario(options).run();
    }
    if (this == COUNTS) {
      return Report.of(new CountsScenario(options).run());
    }
    if (this == REFUSALS) {
      Report report = Report.of(new RefusalsScenario(options).run());
      return report.failing(Verdict.refusals(report.candidates()));
    }
    // What it reads would count as examined by a list.
    Map<String, String> settings = this == LISTINGS ? Map.of("autovacuum", "off") : Map.of();
    try (Stage stage = Stage.launch(options.broker(), settings)) {
      Results results =
          Results.of(
              label(), stage.databaseVersion(options.database()), options.broker().toString());
      if (this == BOUNDS) {
        List<String> failures = new BoundsScenario(stage, options, results).run();
        return Report.of(results).failing(failures);
      }
      if (this == LISTINGS) {
        List<String> failures = new ListingsScenario(stage, options, results).run();
        return Report.of(results).failing(failures);
      }
      run(stage, options, results);
      return judged(Report.of(results));
    }
  }

  private Report judged(Report report) {
    return switch (this) {
      case OUTAGE -> report.failing(Verdict.outage(report.candidates()));
      case TAKEOVER -> report.failing(Verdict.takeover(report.candidates()));
      case WAITING -> report.failing(Verdict.waiting(report.candidates()));
      case ISOLATION -> report.failing(Verdict.others(report.candidates()));
      case STREAMS -> report.failing(Verdict.streams(report.candidates()));
      case INBOX_FAILING_KEY -> report.failing(Verdict.failingKey(report.candidates()));
      case INBOX_RESTART -> report.failing(Verdict.restart(report.candidates()));
      default -> report;
    };
  }

  private void run(Stage stage, Options options, Results results) {
    switch (this) {
      case DRAIN -> new DrainScenario(stage, options, results).run();
      case HOTKEY -> new DrainScenario(stage, options, results).run();
      case LATENCY -> new LatencyScenario(stage, options, results).run();
      case IDLE -> new IdleScenario(stage, options, results).run();
      case SNAPSHOT -> new SnapshotScenario(stage, options, results).run();
      case BACKLOG -> new BacklogScenario(stage, options, results).run();
      case ADOPTED -> new AdoptedScenario(stage, options, results).run();
      case MARIADB -> new MariaDbScenario(stage, options, results).run();
      case HALF_PEAK -> new HalfPeakScenario(stage, options, results).run();
      case KEYS -> new KeysScenario(stage, options, results).run();
      case INSTANCES -> new InstancesScenario(stage, options, results).run();
      case HELD -> new HeldScenario(stage, options, results).run();
      case OUTAGE -> new OutageScenario(stage, options, results).run();
      case WAITING -> new WaitingScenario(stage, options, results).run();
      case TAKEOVER -> new TakeoverScenario(stage, options, results).run();
      case ISOLATION -> new IsolationScenario(stage, options, results).run();
      case STREAMS -> new StreamsScenario(stage, options, results).run();
      case WRITERS -> new WritersScenario(stage, options, results).run();
      case INBOX -> new InboxScenario(stage, options, results).run();
      case INBOX_FAILING_KEY -> new FailingKeyScenario(stage, options, results).run();
      case INBOX_RESTART -> new InboxRestartScenario(stage, options, results).run();
      case COUNTS, MICRO, BOUNDS, LISTINGS, REFUSALS ->
          throw new IllegalStateException(label() + " is run in a way of its own");
    }
  }
}
