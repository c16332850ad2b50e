package io.waybill.bench.scenario;

import io.waybill.bench.load.BoundsSql;
import io.waybill.bench.measure.Pause;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Results;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Child;
import io.waybill.bench.stage.Closing;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import io.waybill.bench.stage.Stage.Ground;
import io.waybill.bench.wire.BrokerKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a writer may do to a relay with 256 MB of heap: millions of blocked keys, of events in one
 * transaction or due at one time, of routing keys; thousands of partitions; a huge row. For each
 * the time until the relay publishes, its largest heap after a collection, its longest turn, and
 * the rate of the keys that are well beside that of a relay without all this.
 */
record BoundsScenario(Stage stage, Options options, Results results) {
  static final int PARTITIONS = 2_000;

  private static final int HEAP_MB = 256;
  private static final int LARGE_MB = 200;
  // Published before anything counts: the first events are those of an interpreter.
  private static final long WARM = 20_000;
  // A new partition's first index entries cost the broker some milliseconds each, whoever sends: by
  // then every partition has its own (one for each 4 KiB of messages).
  private static final long WARM_WIDE = 100L * PARTITIONS;
  private static final int DELAY_SECONDS = 10;
  private static final Duration LIMIT = Duration.ofMinutes(15);
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final double LEAST_SHARE = 0.8;

  private static final List<Candidate> ON_KAFKA =
      List.of(
          Candidate.WITHOUT,
          Candidate.BLOCKED_KEYS,
          Candidate.TRANSACTION,
          Candidate.DUE_AT_ONCE,
          Candidate.LARGE_ROW,
          Candidate.MANY_PARTITIONS,
          Candidate.WITHOUT_MARIADB,
          Candidate.BLOCKED_KEYS_MARIADB,
          Candidate.TRANSACTION_MARIADB);
  private static final List<Candidate> ON_RABBITMQ =
      List.of(Candidate.WITHOUT, Candidate.ROUTING_KEYS);

  /** Returns what went wrong. */
  List<String> run() {
    List<String> failures = new ArrayList<>();
    double own = 0;
    double mariaDb = 0;
    boolean kafka = options.broker() == BrokerKind.KAFKA;
    for (Candidate candidate : options.chosen(kafka ? ON_KAFKA : ON_RABBITMQ)) {
      try {
        double rate = run(candidate, results.of(candidate));
        double without = candidate.table().isOnMariaDb() ? mariaDb : own;
        switch (candidate) {
          case WITHOUT -> own = rate;
          case WITHOUT_MARIADB -> mariaDb = rate;
          default -> {
            if (without > 0) {
              results.of(candidate).details().put("shareOfWithout", rate / without);
            }
            if (without > 0 && rate < LEAST_SHARE * without) {
              failures.add(
                  "%s: %.2f of the rate without".formatted(candidate.label(), rate / without));
            }
          }
        }
      } catch (IllegalStateException | SQLException e) {
        failures.add(candidate.label() + ": " + e.getMessage());
        results.of(candidate).details().put("failed", 1.0);
      }
      Progress.show(candidate.label() + " " + results.of(candidate).details());
    }
    return failures;
  }

  private double run(Candidate candidate, Measured measured) throws SQLException {
    long size = options.events();
    try (Ground ground = stage.ground(candidate.table(), 0, options.keys());
        Closing all = new Closing()) {
      BoundsSql sql = new BoundsSql(ground.url(), candidate.table().isOnMariaDb());
      if (candidate == Candidate.MANY_PARTITIONS || candidate == Candidate.ROUTING_KEYS) {
        stage.broker().createWide(ground.settings().text("destination"), PARTITIONS);
      }
      if (candidate == Candidate.BLOCKED_KEYS || candidate == Candidate.BLOCKED_KEYS_MARIADB) {
        sql.insert("blocked", size);
        sql.parkAll();
      }
      sql.insert("bound.first", 1);
      Child relay =
          all.add(candidate.start(settings(ground, candidate), HEAP_MB, ground.file(".log")));
      relay.await("ready", LIMIT);
      long started = System.nanoTime();
      relay.say("go");
      await(relay, 1);
      measured.details().put("takeOverSeconds", (System.nanoTime() - started) / 1e9);
      long warm = candidate == Candidate.MANY_PARTITIONS ? WARM_WIDE : WARM;
      sql.write("bound.warm", warm);
      await(relay, 1 + warm);
      double rate = load(candidate, sql, relay, size);
      measured.add(Figure.RATE, rate);
      measured.add(Figure.PEAK_RSS, relay.peakRssMb());
      relay.say("stop");
      List<String> peaks = relay.await("peaks", LIMIT);
      measured.details().put("peakHeapMb", Double.parseDouble(peaks.get(0)));
      measured.details().put("longestTurnMs", Double.parseDouble(peaks.get(1)));
      relay.awaitEnd(LIMIT);
      return rate;
    }
  }

  private Settings settings(Ground ground, Candidate candidate) {
    return ground
        .settings()
        .with("events", Long.MAX_VALUE / 4)
        .with("format", "raw")
        .with("keep", false)
        .with("bounds", candidate == Candidate.ROUTING_KEYS ? "per-key" : "one");
  }

  /** Events per second, from their commit on. */
  private double load(Candidate candidate, BoundsSql sql, Child relay, long size)
      throws SQLException {
    long healthy = Math.max(2_000, size / 20);
    long before = relay.count().events();
    switch (candidate) {
      case TRANSACTION, TRANSACTION_MARIADB -> {
        sql.insert("one", size);
        return rate(relay, before, size, System.nanoTime());
      }
      case DUE_AT_ONCE -> {
        long due = size / 2;
        // The time has not come before all is written.
        long seconds = DELAY_SECONDS + due / 20_000;
        long start = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        sql.insertDelayed("due", due, "clock_timestamp() + interval '%d s'".formatted(seconds));
        return rate(relay, before, due, start);
      }
      case ROUTING_KEYS -> {
        long keys = size / 4;
        sql.insert("unbound", keys);
        sql.insert("bound", keys);
        return rate(relay, before, keys, System.nanoTime());
      }
      case LARGE_ROW -> sql.insertLarge(LARGE_MB);
      default -> {}
    }
    long start = System.nanoTime();
    sql.write("bound.well", healthy);
    return rate(relay, before, healthy, start);
  }

  private static double rate(Child relay, long before, long events, long start) {
    long end = await(relay, before + events);
    return events / ((end - start) / 1e9);
  }

  /** When so many were published. */
  private static long await(Child relay, long events) {
    long end = System.nanoTime() + LIMIT.toNanos();
    Child.Count count = relay.count();
    while (count.events() < events) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            "published %d of %d in %s".formatted(count.events(), events, LIMIT));
      }
      Pause.of(LOOK);
      count = relay.count();
    }
    return count.nanos();
  }
}
