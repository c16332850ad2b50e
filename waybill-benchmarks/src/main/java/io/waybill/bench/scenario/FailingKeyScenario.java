package io.waybill.bench.scenario;

import io.waybill.bench.child.ChildMain.Role;
import io.waybill.bench.child.Pace;
import io.waybill.bench.load.EffectTables;
import io.waybill.bench.load.Published;
import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Pause;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.measure.Stamps;
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
import io.waybill.bench.wire.Wire;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Events at a steady rate over many keys; the handler of one key fails for the second half of the
 * time. Latency is that of the other keys, from the send to the end of the transaction.
 */
record FailingKeyScenario(Stage stage, Options options, Results results) {
  private static final int FAILING = 0;
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration LOOK = Duration.ofMillis(200);

  void run() {
    for (int round = 1; round <= options.rounds(); round++) {
      Measured measured = results.of(Candidate.INBOX);
      try {
        run(measured);
      } catch (SQLException | IOException e) {
        throw new IllegalStateException("The load could not be carried", e);
      }
      Progress.show(
          "round %d  p99 of the other keys %.1f ms"
              .formatted(round, measured.median(Figure.P99).orElse(0)));
    }
  }

  private void run(Measured measured) throws SQLException, IOException {
    try (Ground ground = InboxRun.ground(stage, options);
        Closing all = new Closing();
        Wire wire = ground.wire()) {
      Path stamps = ground.file(".handled");
      EffectTables tables = new EffectTables(ground.url());
      Settings settings =
          ground
              .settings()
              .with("events", total())
              .with("workers", InboxRun.WORKERS)
              .with("stamps", stamps);
      Child child =
          all.add(Child.start(Role.INBOX, settings, InboxRun.HEAP_MB, ground.file(".log")));
      child.await("ready", InboxRun.START_LIMIT);
      child.say("go");
      long[] sent = write(wire, tables);
      worst(measured, "behindAtEnd", (double) (total() - child.count().events()));
      awaitAll(child);
      child.say("stop");
      List<String> failures = child.await("failures", InboxRun.START_LIMIT);
      child.awaitEnd(InboxRun.START_LIMIT);
      least(measured, "triedInPlace", Double.parseDouble(failures.get(0)));
      least(measured, Verdict.DEFERRED, Double.parseDouble(failures.get(1)));
      least(measured, Verdict.WENT_BEHIND, Double.parseDouble(failures.get(2)));
      latencies(sent, Stamps.read(stamps), measured);
      InboxRun.judge(tables, total(), measured);
    }
  }

  private int warm() {
    return options.rate() * options.warmSeconds();
  }

  /** Events of the time before the failure, and of that of the failure. */
  private int part() {
    return options.rate() * options.seconds();
  }

  private int total() {
    return warm() + 2 * part();
  }

  /** Returns when each event was sent. */
  private long[] write(Wire wire, EffectTables tables) throws SQLException {
    Published published = new Published();
    long[] sent = new long[total()];
    Pace pace = new Pace(System.nanoTime(), TimeUnit.SECONDS.toNanos(1) / options.rate());
    for (int i = 0; i < total(); i++) {
      pace.awaitNext();
      if (i == warm() + part()) {
        tables.fail(FAILING);
      }
      Wire.Message message = published.message(i % options.keys(), i / options.keys());
      sent[i] = System.nanoTime();
      wire.send(message, () -> {});
    }
    wire.await();
    tables.mend(FAILING);
    return sent;
  }

  /** What is missing when the time is up is told as lost. */
  private void awaitAll(Child child) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (child.count().events() < total() && System.nanoTime() < end) {
      Pause.of(LOOK);
    }
  }

  private void latencies(long[] sent, Map<Long, Long> handled, Measured measured) {
    Histogram before = new Histogram(3);
    Histogram meanwhile = new Histogram(3);
    long failing = 0;
    long longest = 0;
    for (int i = warm(); i < sent.length; i++) {
      int key = i % options.keys();
      Long end = handled.get(Ref.of(key, i / options.keys()));
      // What is missing is told as lost.
      long nanos = end == null ? LIMIT.toNanos() : Math.max(0, end - sent[i]);
      if (i < warm() + part()) {
        before.recordValue(nanos);
      } else if (key == FAILING) {
        failing++;
        longest = Math.max(longest, nanos);
      } else {
        meanwhile.recordValue(nanos);
      }
    }
    measured.add(Figure.RATE, options.rate());
    measured.add(Figure.P50, meanwhile.getValueAtPercentile(50) / 1e6);
    measured.add(Figure.P99, meanwhile.getValueAtPercentile(99) / 1e6);
    double p99 = (double) meanwhile.getValueAtPercentile(99);
    worst(measured, "p50MsBefore", before.getValueAtPercentile(50) / 1e6);
    worst(measured, "p99MsBefore", before.getValueAtPercentile(99) / 1e6);
    worst(measured, Verdict.RATIO, p99 / before.getValueAtPercentile(99));
    worst(measured, "maxMs", meanwhile.getMaxValue() / 1e6);
    worst(measured, "eventsOfFailingKey", (double) failing);
    worst(measured, "longestOfFailingKeySeconds", longest / 1e9);
  }

  /** The largest of all rounds. */
  private static void worst(Measured measured, String name, double value) {
    measured.details().merge(name, value, Math::max);
  }

  /** The smallest of all rounds: in each something must have failed. */
  private static void least(Measured measured, String name, double value) {
    measured.details().merge(name, value, Math::min);
  }
}
