package io.waybill.bench.scenario;

import io.waybill.bench.child.ChildMain.Role;
import io.waybill.bench.load.EffectTables;
import io.waybill.bench.measure.Pause;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Results;
import io.waybill.bench.report.Verdict;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Child;
import io.waybill.bench.stage.Closing;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import io.waybill.bench.stage.Stage.Ground;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;

/**
 * Three processes of one consumer work off a backlog of twelve partitions with a slow handler: once
 * undisturbed, once while they are restarted one after the other.
 */
record InboxRestartScenario(Stage stage, Options options, Results results) {
  private static final int PROCESSES = 3;
  private static final int PARTITIONS = 12;
  private static final int HANDLER_MILLIS = 50;
  private static final Duration LOOK = Duration.ofMillis(100);

  void run() {
    for (int round = 1; round <= options.rounds(); round++) {
      Measured measured = results.of(Candidate.INBOX);
      try {
        double without = run(measured, false);
        double with = run(measured, true);
        measured.add(Figure.RATE, options.events() / with);
        worst(measured, "secondsWithout", without);
        worst(measured, "secondsWithRestart", with);
        worst(measured, Verdict.TIME_RATIO, with / without);
        Progress.show(
            "round %d  %.1f s without a restart, %.1f s with one: %.2f x"
                .formatted(round, without, with, with / without));
      } catch (SQLException e) {
        throw new IllegalStateException("The effects could not be counted", e);
      }
    }
  }

  /** Returns the seconds from the start of the processes to the last effect. */
  private double run(Measured measured, boolean restart) throws SQLException {
    try (Ground ground = InboxRun.ground(stage, options);
        Closing all = new Closing()) {
      stage.broker().createWide(ground.settings().text("destination"), PARTITIONS);
      new InboxRun(stage, options).fill(ground);
      EffectTables tables = new EffectTables(ground.url());
      ArrayDeque<Child> children = new ArrayDeque<>();
      for (int i = 0; i < PROCESSES; i++) {
        children.add(all.add(child(ground)));
      }
      children.forEach(child -> child.await("ready", InboxRun.START_LIMIT));
      long start = System.nanoTime();
      children.forEach(child -> child.say("go"));
      for (int i = 0; restart && i < PROCESSES; i++) {
        awaitEffects(tables, options.events() * (i + 1) / (PROCESSES + 1));
        stop(children.remove());
        Child next = all.add(child(ground));
        next.await("ready", InboxRun.START_LIMIT);
        next.say("go");
        children.add(next);
      }
      awaitEffects(tables, options.events());
      double seconds = (System.nanoTime() - start) / 1e9;
      children.forEach(InboxRestartScenario::stop);
      InboxRun.judge(tables, options.events(), measured);
      return seconds;
    }
  }

  private Child child(Ground ground) {
    Settings settings =
        ground
            .settings()
            .with("events", options.events())
            .with("workers", InboxRun.WORKERS)
            .with("batch", 1)
            .with("handlerMillis", HANDLER_MILLIS);
    return Child.start(Role.INBOX, settings, InboxRun.HEAP_MB, ground.file(".log"));
  }

  private static void stop(Child child) {
    child.say("stop");
    child.awaitEnd(InboxRun.START_LIMIT);
  }

  private void awaitEffects(EffectTables tables, long number) throws SQLException {
    // A twentieth of what the workers can do.
    long millis = 20 * options.events() * HANDLER_MILLIS / (PROCESSES * InboxRun.WORKERS);
    long end = System.nanoTime() + Duration.ofMinutes(1).plusMillis(millis).toNanos();
    for (long there = tables.effects(); there < number; there = tables.effects()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            "%,d of %,d events have an effect".formatted(there, options.events()));
      }
      Pause.of(LOOK);
    }
  }

  /** The largest of all rounds. */
  private static void worst(Measured measured, String name, double value) {
    measured.details().merge(name, value, Math::max);
  }
}
