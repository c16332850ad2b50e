package io.waybill.bench.run;

import io.waybill.bench.child.ChildMain.Role;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.run.Sample.Span;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Child;
import io.waybill.bench.stage.Closing;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Stage;
import io.waybill.bench.stage.Stage.Ground;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One candidate carries one backlog, once. Rates and CPU are those of the second half.
 *
 * @param stage the servers
 * @param options size of the run
 * @param variation what is special about it
 */
public record DrainRun(Stage stage, Options options, Variation variation) {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final int VERIFIER_HEAP_MB = 256;

  /**
   * What is special about a run.
   *
   * @param verified whether a consumer checks what arrives
   * @param snapshotHeld whether a transaction elsewhere holds a snapshot from before the start
   * @param heapMb heap of the candidate
   * @param timedReads whether the relay reports how long its reads took
   */
  public record Variation(boolean verified, boolean snapshotHeld, int heapMb, boolean timedReads) {
    /** Verified, in 256 MB. */
    public static final Variation PLAIN = new Variation(true, false, 256, false);

    /** The same without a verifier. */
    public Variation unverified() {
      return new Variation(false, snapshotHeld, heapMb, timedReads);
    }

    /** The same while a snapshot is held. */
    public Variation withSnapshotHeld() {
      return new Variation(verified, true, heapMb, timedReads);
    }
  }

  /** Something that runs beside a candidate. */
  public interface Beside {
    /** Starts it on the candidate's ground; closed in the end. */
    AutoCloseable start(Ground ground);
  }

  /** Measures one candidate; figures are added to those of earlier rounds. */
  public Span run(Candidate candidate, Measured measured) {
    return run(candidate, measured, ground -> () -> {});
  }

  /** The same beside something else. */
  public Span run(Candidate candidate, Measured measured, Beside beside) {
    try (Ground ground = stage.ground(candidate.table(), options.events(), options.keys());
        Closing held = new Closing()) {
      if (variation.snapshotHeld()) {
        held.add(heldSnapshot(ground.url()));
      }
      Settings settings =
          ground
              .settings()
              .with("events", options.events())
              .with("keys", options.keys())
              .with("format", options.format());
      Path log = ground.file(".log");
      Child verifier = null;
      if (variation.verified() && candidate.publishes()) {
        verifier = held.add(Child.start(Role.VERIFIER, settings, VERIFIER_HEAP_MB, log));
        verifier.await("ready", START_LIMIT);
      }
      held.add(beside.start(ground));
      Settings own = of(candidate, settings);
      Settings all = variation.timedReads() ? own.with("reads", ground.file(".reads")) : own;
      Child child = held.add(Child.start(candidate.role(), all, variation.heapMb(), log));
      Span span = measure(child, verifier, measured);
      if (variation.timedReads()) {
        ReadTimes.add(ground.file(".reads"), measured);
      }
      return span;
    }
  }

  private static Settings of(Candidate candidate, Settings settings) {
    Settings own = settings.with("keep", candidate.keeps());
    return candidate.table().isAdopted() ? own.with("layout", candidate.table().layout()) : own;
  }

  private Span measure(Child child, @Nullable Child verifier, Measured measured) {
    child.await("ready", START_LIMIT);
    child.say("go");
    Sample half = Sample.take(child.await("half", limit()), stage, child, verifier);
    Sample done = Sample.take(child.await("done", limit()), stage, child, verifier);
    Span span = done.since(half);
    span.addTo(measured);
    measured.add(Figure.PEAK_RSS, child.peakRssMb());
    if (verifier != null) {
      measured.add(Figure.CONSUMER_CPU, span.consumer());
      verdict(verifier, measured);
    }
    child.say("stop");
    child.awaitEnd(START_LIMIT);
    return span;
  }

  /** Adds what a verifier has found. */
  public static void verdict(Child verifier, Measured measured) {
    verifier.say("stop");
    List<String> words = verifier.await("verdict", Duration.ofMinutes(5));
    measured.add(Figure.LOST, Double.parseDouble(words.get(0)));
    measured.add(Figure.DUPLICATES, Double.parseDouble(words.get(1)));
    measured.add(Figure.INVERSIONS, Double.parseDouble(words.get(2)));
  }

  private Duration limit() {
    return Duration.ofMinutes(2).plusMillis(options.events() * 5);
  }

  /** A transaction that sees the tables as they are now, until it is closed. */
  private static AutoCloseable heldSnapshot(String url) {
    try {
      Connection connection = DriverManager.getConnection(url);
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      try (Statement statement = connection.createStatement()) {
        statement.execute("select count(*) from pg_class");
      }
      return connection;
    } catch (SQLException e) {
      throw new IllegalStateException("No snapshot could be held", e);
    }
  }
}
