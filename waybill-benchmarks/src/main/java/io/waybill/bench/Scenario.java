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
  MARIADB;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  void run(Stage stage, Options options, Results results) {
    switch (this) {
      case DRAIN -> new DrainScenario(stage, options, results).run();
      case HOTKEY -> new DrainScenario(stage, options, results).run();
      case LATENCY -> new LatencyScenario(stage, options, results).run();
      case IDLE -> new IdleScenario(stage, options, results).run();
      case SNAPSHOT -> new SnapshotScenario(stage, options, results).run();
      case BACKLOG -> new BacklogScenario(stage, options, results).run();
      case ADOPTED -> new AdoptedScenario(stage, options, results).run();
      case MARIADB -> new MariaDbScenario(stage, options, results).run();
    }
  }
}
