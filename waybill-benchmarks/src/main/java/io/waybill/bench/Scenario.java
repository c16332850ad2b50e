package io.waybill.bench;

import java.util.Locale;

/** What can be measured. */
enum Scenario {
  DRAIN,
  LATENCY,
  HOTKEY,
  IDLE,
  SNAPSHOT,
  BACKLOG,
  ADOPTED,
  MARIADB,
  COUNTS;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  Report run(Options options) {
    if (this == COUNTS) {
      return Report.of(new CountsScenario(options).run());
    }
    try (Stage stage = Stage.launch(options.broker())) {
      Results results = Results.of(this, stage.databaseVersion(), options.broker().toString());
      run(stage, options, results);
      return Report.of(results);
    }
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
      case COUNTS -> throw new IllegalStateException(label() + " has servers of its own");
    }
  }
}
