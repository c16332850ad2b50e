package io.waybill.bench.scenario;

import io.waybill.bench.child.ChildMain.Role;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Child;
import io.waybill.bench.stage.Closing;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Stage;
import io.waybill.bench.stage.Stage.Ground;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Business transactions of one event each at a steady rate on MariaDB: how long they take from the
 * append to the return of the commit, and how often one waited for a row lock.
 *
 * @param stage the servers
 * @param options size of the run
 * @param relay whether a relay works beside them
 */
record InsertRun(Stage stage, Options options, boolean relay) {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int HEAP_MB = 256;
  private static final int THREADS = 4;
  private static final int WARM_SECONDS = 5;
  private static final String LOCK_WAITS =
      "select variable_value from information_schema.global_status"
          + " where variable_name = 'INNODB_ROW_LOCK_WAITS'";

  void run(Measured measured) {
    long warm = (long) options.rate() * WARM_SECONDS;
    long events = warm + (long) options.rate() * options.seconds();
    try (Ground ground = stage.ground(Candidate.Table.MARIADB, 0, options.keys());
        Closing all = new Closing()) {
      Settings settings =
          ground
              .settings()
              .with("events", events)
              .with("warm", warm)
              .with("threads", THREADS)
              .with("interval", Duration.ofSeconds(1).toNanos() / options.rate())
              .with("keys", options.keys())
              .with("keep", false)
              .with("format", options.format());
      Path log = ground.file(".log");
      Child relaying = relay ? all.add(Child.start(Role.WAYBILL, settings, HEAP_MB, log)) : null;
      if (relaying != null) {
        relaying.await("ready", LIMIT);
        relaying.say("go");
      }
      Child writer = all.add(Child.start(Role.INSERTER, settings, HEAP_MB, log));
      writer.await("ready", LIMIT);
      double waits = lockWaits();
      writer.say("go");
      List<String> figures = writer.await("written", LIMIT.plusSeconds(2L * options.seconds()));
      measured.add(Figure.RATE, Double.parseDouble(figures.get(0)));
      measured.add(Figure.P50, Double.parseDouble(figures.get(1)));
      measured.add(Figure.P99, Double.parseDouble(figures.get(2)));
      measured.details().merge("rowLockWaits", lockWaits() - waits, Double::sum);
      writer.say("stop");
      writer.awaitEnd(LIMIT);
      if (relaying != null) {
        relaying.await("done", LIMIT);
        relaying.say("stop");
        relaying.awaitEnd(LIMIT);
      }
    }
  }

  private double lockWaits() {
    return Double.parseDouble(Stage.ask(stage.mariaDb().jdbcUrl(), LOCK_WAITS));
  }
}
