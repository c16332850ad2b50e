package io.waybill.bench.scenario;

import io.waybill.bench.load.EffectTables;
import io.waybill.bench.load.Published;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.run.Sample;
import io.waybill.bench.run.Sample.Span;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Child;
import io.waybill.bench.stage.Closing;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Stage;
import io.waybill.bench.stage.Stage.Ground;
import io.waybill.bench.wire.Wire;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;

/**
 * One candidate consumes a backlog with one effect in the database for each event. Rates and CPU
 * are those of the second half; all effects are looked at afterwards.
 *
 * @param stage the servers
 * @param options size of the run
 */
record InboxRun(Stage stage, Options options) {
  static final int WORKERS = 8;
  static final int HEAP_MB = 256;
  static final Duration START_LIMIT = Duration.ofMinutes(2);

  Span run(Candidate candidate, Measured measured) {
    try (Ground ground = ground(stage, options);
        Closing all = new Closing()) {
      fill(ground);
      Settings settings =
          ground
              .settings()
              .with("events", options.events())
              .with("workers", WORKERS)
              .with("batch", candidate == Candidate.INBOX_BATCH ? options.batch() : 1);
      Child child = all.add(Child.start(candidate.role(), settings, HEAP_MB, ground.file(".log")));
      child.await("ready", START_LIMIT);
      child.say("go");
      Sample half = Sample.take(child.await("half", limit()), stage, child, null);
      Sample done = Sample.take(child.await("done", limit()), stage, child, null);
      Span span = done.since(half);
      span.addTo(measured);
      measured.add(Figure.PEAK_RSS, child.peakRssMb());
      child.say("stop");
      child.awaitEnd(START_LIMIT);
      judge(new EffectTables(ground.url()), options.events(), measured);
      return span;
    }
  }

  static Ground ground(Stage stage, Options options) {
    return stage.ground(
        options.onMariaDb() ? Candidate.Table.EFFECT_MARIADB : Candidate.Table.EFFECT,
        options.events(),
        options.keys());
  }

  void fill(Ground ground) {
    Published published = new Published();
    try (Wire wire = ground.wire()) {
      for (long i = 0; i < options.events(); i++) {
        wire.send(published.message((int) (i % options.keys()), i / options.keys()), () -> {});
      }
      wire.await();
    } catch (IOException e) {
      throw new IllegalStateException("The backlog could not be sent", e);
    }
  }

  static void judge(EffectTables tables, long events, Measured measured) {
    try {
      EffectTables.Verdict verdict = tables.verdict(events);
      measured.add(Figure.LOST, (double) verdict.lost());
      measured.add(Figure.DUPLICATES, (double) verdict.duplicates());
      measured.add(Figure.INVERSIONS, (double) verdict.inversions());
    } catch (SQLException e) {
      throw new IllegalStateException("The effects could not be looked at", e);
    }
  }

  private Duration limit() {
    return Duration.ofMinutes(2).plusMillis(options.events() * 5);
  }
}
