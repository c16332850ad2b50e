package io.waybill.bench.scenario;

import io.waybill.bench.child.ChildMain.Role;
import io.waybill.bench.load.AdoptedTable;
import io.waybill.bench.measure.Pause;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Verdict;
import io.waybill.bench.run.DrainRun;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Child;
import io.waybill.bench.stage.Closing;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import io.waybill.bench.stage.Stage.Ground;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * One relay of an adopted table and a steady load, whose broker is killed and comes back on the
 * same data. What the database does is counted while the broker is away.
 *
 * @param stage the servers
 * @param options size of the run
 */
record WaitingRun(Stage stage, Options options) {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int HEAP_MB = 256;
  private static final int THREADS = 4;
  private static final int LOOK_EVERY_SECONDS = 15;
  // A connection of PostgreSQL that does nothing reports its updates after ten seconds.
  private static final Duration STATISTICS = Duration.ofSeconds(11);
  private static final String LOGGED = "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')";
  // Since the load began; a row is updated once when it is published.
  private static final String UPDATES =
      """
      select coalesce(sum(n_tup_upd), 0) - (select count(*) from %1$s o where not (%2$s))
      from pg_stat_user_tables where relname = '%1$s'
      """;

  /**
   * What the database did.
   *
   * @param cpuSeconds of all its processes
   * @param logBytes written to its log
   * @param updates of rows of the table, but those that mark them as published
   * @param minutes how many minutes had begun until the last count
   */
  record Cost(double cpuSeconds, long logBytes, long updates, long minutes) {
    static final Cost NONE = new Cost(0, 0, 0, 0);

    Cost plus(Cost other) {
      return new Cost(
          cpuSeconds + other.cpuSeconds,
          logBytes + other.logBytes,
          updates + other.updates,
          minutes + other.minutes);
    }

    Cost minus(Cost other) {
      return new Cost(
          cpuSeconds - other.cpuSeconds,
          logBytes - other.logBytes,
          updates - other.updates,
          minutes - other.minutes);
    }
  }

  /** With a layout that leaves the columns alone, or with the documented one. */
  Cost run(Candidate candidate, boolean silent, Measured measured) {
    AdoptedTable table = AdoptedTable.of(candidate.table().layout());
    int seconds = options.warmSeconds() + options.outageSeconds() + options.seconds();
    long events = (long) options.rate() * seconds / THREADS * THREADS;
    try (Ground ground = stage.ground(candidate.table(), 0, options.keys());
        Closing all = new Closing()) {
      Settings settings = settings(ground, table, events);
      Path log = ground.file(".log");
      Child verifier = all.add(Child.start(Role.VERIFIER, settings, HEAP_MB, log));
      verifier.await("ready", LIMIT);
      Settings sending = silent ? settings.with("silent", true) : settings;
      Child relay = all.add(Child.start(candidate.role(), sending, HEAP_MB, log));
      relay.await("ready", LIMIT);
      relay.say("go");
      Child writer = all.add(Child.start(Role.WRITER, settings, HEAP_MB, log));
      writer.await("ready", LIMIT);
      writer.say("go");
      Pause.of(Duration.ofSeconds(options.warmSeconds()));
      Cost cost = outage(ground, table, silent, measured);
      writer.await("written", LIMIT.plusSeconds(2L * seconds));
      relay.await("done", LIMIT.plusMillis(events * 5));
      measured.add(Figure.PEAK_RSS, relay.peakRssMb());
      measured.add(Figure.RATE, options.rate());
      DrainRun.verdict(verifier, measured);
      relay.say("stop");
      relay.awaitEnd(LIMIT);
      return cost;
    }
  }

  private Settings settings(Ground ground, AdoptedTable table, long events) {
    return ground
        .settings()
        .with("layout", table.layout().name())
        .with("events", events)
        .with("keys", options.keys())
        .with("format", options.format())
        .with("warm", 0)
        .with("threads", THREADS)
        .with("interval", Duration.ofSeconds(1).toNanos() / options.rate())
        .with("commits", ground.file(".commits"));
  }

  private Cost outage(Ground ground, AdoptedTable table, boolean silent, Measured measured) {
    WaitingRows rows = new WaitingRows(ground.url(), table.layout(), Instant.now());
    stage.killBroker();
    Cost before = cost(ground);
    long start = System.nanoTime();
    Cost looks = Cost.NONE;
    long untrue = 0;
    for (int passed = 0; passed < options.outageSeconds(); passed += LOOK_EVERY_SECONDS) {
      Progress.show(
          "%s%s: the broker is gone, for %d s more"
              .formatted(
                  table.layout().name(),
                  silent ? " (silent)" : "",
                  options.outageSeconds() - passed));
      Pause.of(Duration.ofSeconds(Math.min(LOOK_EVERY_SECONDS, options.outageSeconds() - passed)));
      double began = stage.databaseCpuSeconds();
      untrue = Math.max(untrue, silent ? 0 : rows.untrue());
      looks = looks.plus(new Cost(stage.databaseCpuSeconds() - began, 0, 0, 0));
    }
    Pause.of(STATISTICS);
    // The looks have made it longer than it was asked to be.
    long minutes = 1 + Duration.ofNanos(System.nanoTime() - start).toMinutes();
    Cost spent = cost(ground).minus(before).minus(looks);
    String counted = UPDATES.formatted(table.layout().table().name(), rows.pending());
    long updates = Long.parseLong(Stage.ask(ground.url(), counted));
    measured.details().merge(Verdict.UNTRUE, (double) untrue, Math::max);
    stage.restartBroker();
    Progress.show("the broker is back");
    return spent.plus(new Cost(0, 0, updates, minutes));
  }

  private Cost cost(Ground ground) {
    long logged = Long.parseLong(Stage.ask(ground.url(), LOGGED));
    return new Cost(stage.databaseCpuSeconds(), logged, 0, 0);
  }
}
