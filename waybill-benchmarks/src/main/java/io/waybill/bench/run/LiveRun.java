package io.waybill.bench.run;

import io.waybill.bench.child.ChildMain.Role;
import io.waybill.bench.measure.Pause;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.measure.Stamps;
import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.stage.Child;
import io.waybill.bench.stage.Closing;
import io.waybill.bench.stage.Contender;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Stage;
import io.waybill.bench.stage.Stage.Ground;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import org.HdrHistogram.Histogram;

/**
 * One candidate carries events as they are committed.
 *
 * @param stage the servers
 * @param options size of the run
 * @param plan how events are written
 * @param graceSeconds how long after the last one is written confirms are waited for
 */
public record LiveRun(Stage stage, Options options, Plan plan, int graceSeconds) {
  private static final int GRACE_SECONDS = 60;
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final int HEAP_MB = 256;
  private static final long SETTLE_SECONDS = 5;
  private static final int PARTS = 10;
  private static final long COUNT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** With a minute of grace. */
  public LiveRun(Stage stage, Options options, Plan plan) {
    this(stage, options, plan, GRACE_SECONDS);
  }

  /**
   * How events are written.
   *
   * @param events all of them
   * @param warm those at the start that do not count
   * @param threads writing threads
   * @param intervalNanos time between two events
   * @param idleSeconds idleness before the first one, of which the CPU is measured; 0 for none
   * @param transaction events of each transaction; if more than one, commits are stamped by sample
   * @param held whether one more event waits in a transaction that is open all the time
   */
  public record Plan(
      long events,
      long warm,
      int threads,
      long intervalNanos,
      int idleSeconds,
      int transaction,
      boolean held) {
    /** Transactions of one event each, none of which is held. */
    public Plan(long events, long warm, int threads, long intervalNanos, int idleSeconds) {
      this(events, warm, threads, intervalNanos, idleSeconds, 1, false);
    }

    /** The same with several events in each transaction. */
    public Plan inTransactionsOf(int count) {
      return new Plan(events, warm, threads, intervalNanos, idleSeconds, count, held);
    }

    /** The same while one more event is held. */
    public Plan whileOneIsHeld() {
      return new Plan(events, warm, threads, intervalNanos, idleSeconds, transaction, true);
    }
  }

  /** Measures one candidate; figures are added to those of earlier rounds. */
  public void run(Contender candidate, Measured measured) {
    try (Ground ground = stage.ground(candidate.table(), 0, options.keys());
        Closing all = new Closing()) {
      Settings settings = settings(ground, candidate);
      Path log = ground.file(".log");
      candidate.prepare(settings.with("events", 0), log);
      Settings receiving = receiving(settings).with("stamps", ground.file(".received"));
      Child verifier = all.add(Child.start(Role.VERIFIER, receiving, HEAP_MB, log));
      verifier.await("ready", START_LIMIT);
      Settings sending = settings.with("stamps", ground.file(".confirmed"));
      boolean inProcess = candidate.writesItself();
      Settings own = inProcess ? sending.with("writer", true) : sending;
      Child child = all.add(candidate.start(own, HEAP_MB, log));
      child.await("ready", START_LIMIT);
      child.say("go");
      idle(child, measured);
      Role role = plan.transaction() > 1 ? Role.BULK_WRITER : Role.WRITER;
      Child writer = inProcess ? child : all.add(Child.start(role, settings, HEAP_MB, log));
      HeldEvent held = plan.held() ? all.add(hold(ground, candidate)) : null;
      write(child, writer, verifier, measured);
      long released = held == null ? 0 : held.commit();
      measured.add(Figure.PEAK_RSS, child.peakRssMb());
      long confirmed = settled(child);
      measured.details().put("pendingAtEnd", (double) (plan.events() - confirmed));
      if (confirmed < plan.events()) {
        verifier.say("expect " + confirmed);
      }
      DrainRun.verdict(verifier, measured);
      child.say("stop");
      child.awaitEnd(START_LIMIT);
      verifier.awaitEnd(START_LIMIT);
      latencies(ground, measured);
      if (held != null) {
        long received = received(ground, held.ref());
        measured.details().put("heldEventMs", (received - released) / 1e6);
      }
    }
  }

  private static long received(Ground ground, long ref) {
    Long time = stamps(ground, ".received", r -> r == ref).get(ref);
    if (time == null) {
      throw new IllegalStateException("The held event never arrived");
    }
    return time;
  }

  private HeldEvent hold(Ground ground, Contender candidate) {
    return new HeldEvent(ground.url(), candidate.table(), options.keys());
  }

  /** The held event has a key of its own. */
  private Settings receiving(Settings settings) {
    return plan.held()
        ? settings.with("events", plan.events() + 1).with("keys", options.keys() + 1)
        : settings;
  }

  private static Map<Long, Long> stamps(Ground ground, String suffix, LongPredicate wanted) {
    try {
      return Stamps.read(ground.file(suffix), wanted);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until all is confirmed or the grace is over; what is pending then is not lost. */
  private long settled(Child child) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(graceSeconds);
    long confirmed = child.count().events();
    while (confirmed < plan.events() && System.nanoTime() < end) {
      LockSupport.parkNanos(COUNT_PAUSE_NANOS);
      confirmed = child.count().events();
    }
    return Math.min(confirmed, plan.events());
  }

  private Settings settings(Ground ground, Contender candidate) {
    Settings settings =
        ground
            .settings()
            .with("events", plan.events())
            .with("keys", options.keys())
            .with("format", options.format())
            .with("keep", false)
            .with("warm", plan.warm())
            .with("threads", plan.threads())
            .with("batch", plan.transaction())
            .with("interval", plan.intervalNanos())
            .with("commits", ground.file(".commits"));
    return candidate.table().isPlain() ? settings.with("plain", true) : settings;
  }

  private void idle(Child child, Measured measured) {
    if (plan.idleSeconds() == 0) {
      return;
    }
    Pause.of(Duration.ofSeconds(SETTLE_SECONDS));
    double relay = child.cpuSeconds();
    double database = stage.databaseCpuSeconds();
    Pause.of(Duration.ofSeconds(plan.idleSeconds()));
    double relayShare = (child.cpuSeconds() - relay) * 100 / plan.idleSeconds();
    double databaseShare = (stage.databaseCpuSeconds() - database) * 100 / plan.idleSeconds();
    measured.add(Figure.IDLE_CPU, relayShare + databaseShare);
    measured.details().put("idleRelayPercentOfCore", relayShare);
    measured.details().put("idleDatabasePercentOfCore", databaseShare);
  }

  private void write(Child child, Child writer, Child verifier, Measured measured) {
    if (writer != child) {
      writer.await("ready", START_LIMIT);
    }
    double relay = child.cpuSeconds();
    double database = stage.databaseCpuSeconds();
    double consumer = verifier.cpuSeconds();
    double broker = stage.brokerCpuSeconds();
    double write = writer.cpuSeconds();
    long start = System.nanoTime();
    writer.say(writer == child ? "write" : "go");
    Duration limit = START_LIMIT.plusNanos(plan.events() * plan.intervalNanos() * 2);
    writer.await("written", limit);
    double thousands = plan.events() / 1000.0;
    measured.add(Figure.RATE, plan.events() * 1e9 / (System.nanoTime() - start));
    measured.add(Figure.RELAY_CPU, (child.cpuSeconds() - relay) / thousands);
    measured.add(Figure.DATABASE_CPU, (stage.databaseCpuSeconds() - database) / thousands);
    measured.add(Figure.CONSUMER_CPU, (verifier.cpuSeconds() - consumer) / thousands);
    measured.add(Figure.BROKER_CPU, (stage.brokerCpuSeconds() - broker) / thousands);
    measured.details().put("writerCpuSecondsPer1000", (writer.cpuSeconds() - write) / thousands);
  }

  private static void latencies(Ground ground, Measured measured) {
    Map<Long, Long> commits = stamps(ground, ".commits", ref -> true);
    Map<Long, Long> confirmed = stamps(ground, ".confirmed", commits::containsKey);
    Histogram confirm = between(commits, confirmed);
    Histogram receive = between(commits, stamps(ground, ".received", commits::containsKey));
    measured.add(Figure.P50, millis(confirm, 50));
    measured.add(Figure.P99, millis(confirm, 99));
    measured.add(Figure.CONSUMER_P50, millis(receive, 50));
    measured.add(Figure.CONSUMER_P99, millis(receive, 99));
    measured.details().put("maxMs", confirm.getMaxValue() / 1e6);
    byTenth(commits, confirmed, measured);
  }

  private static Histogram between(Map<Long, Long> commits, Map<Long, Long> later) {
    Histogram histogram = new Histogram(3);
    commits.forEach(
        (ref, commit) -> {
          Long then = later.get(ref);
          if (then != null) {
            // The relay may see a commit before the writer is told of it.
            histogram.recordValue(Math.max(0, then - commit));
          }
        });
    return histogram;
  }

  /**
   * The 99th percentile of each tenth of the commits: a queue of the start must not hide the rest.
   */
  private static void byTenth(
      Map<Long, Long> commits, Map<Long, Long> confirmed, Measured measured) {
    List<Long> refs =
        commits.entrySet().stream()
            .sorted(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .toList();
    for (int part = 0; part < PARTS; part++) {
      Map<Long, Long> some = new HashMap<>();
      int end = refs.size() * (part + 1) / PARTS;
      for (Long ref : refs.subList(refs.size() * part / PARTS, end)) {
        some.put(ref, commits.get(ref));
      }
      Histogram confirm = between(some, confirmed);
      measured.details().put("p50MsTenth%02d".formatted(part + 1), millis(confirm, 50));
      measured.details().put("p99MsTenth%02d".formatted(part + 1), millis(confirm, 99));
    }
  }

  private static double millis(Histogram histogram, double percentile) {
    return histogram.getValueAtPercentile(percentile) / 1e6;
  }
}
