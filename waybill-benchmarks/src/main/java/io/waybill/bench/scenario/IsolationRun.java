package io.waybill.bench.scenario;

import io.waybill.bench.child.ChildMain.Role;
import io.waybill.bench.child.Sick;
import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Pause;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.measure.Stamps;
import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Verdict;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Child;
import io.waybill.bench.stage.Closing;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Stage;
import io.waybill.bench.stage.Stage.Ground;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * One relay and a steady load, a part of which becomes impossible to publish.
 *
 * @param stage the servers
 * @param options size of the run
 */
record IsolationRun(Stage stage, Options options) {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final int HEAP_MB = 256;
  private static final int THREADS = 4;

  /** Returns the others' p99 while a part is sick, compared with the time before. */
  double run(Candidate sickness, Measured measured) {
    try (Ground ground = stage.ground(sickness.table(), 0, options.keys());
        Closing all = new Closing()) {
      Places places = new Places(ground, sickness);
      all.add(places);
      Sick sick = new Sick(places.kind(), position(options.warmSeconds() + options.seconds()));
      Settings settings = settings(ground, places, sick);
      Path log = ground.file(".log");
      Settings sending = settings.with("stamps", ground.file(".confirmed"));
      Child relay = all.add(Child.start(sickness.role(), sending, HEAP_MB, log));
      relay.await("ready", LIMIT);
      relay.say("go");
      Child writer = all.add(Child.start(Role.WRITER, settings, HEAP_MB, log));
      writer.await("ready", LIMIT);
      writer.say("go");
      writer.await("written", LIMIT.plusSeconds(2L * events() / options.rate()));
      awaitHealthy(relay, sick);
      measured.add(Figure.PEAK_RSS, relay.peakRssMb());
      relay.say("stop");
      relay.awaitEnd(LIMIT);
      return latencies(ground, sick, measured);
    }
  }

  /** Where events go, and where those go that cannot be published. */
  private final class Places implements AutoCloseable {
    private final String healthy;
    private final Candidate sickness;

    private Places(Ground ground, Candidate sickness) {
      this.healthy = ground.settings().text("destination") + ".all";
      this.sickness = sickness;
      stage.broker().createLimited(healthy);
      if (sickness == Candidate.FULL_QUEUE) {
        stage.broker().createFull(healthy + Sick.SUFFIX);
      }
    }

    private Sick.Kind kind() {
      return sickness == Candidate.POISON_KEY ? Sick.Kind.KEY : Sick.Kind.DESTINATION;
    }

    @Override
    public void close() {
      stage.broker().drop(healthy);
      if (sickness == Candidate.FULL_QUEUE) {
        stage.broker().drop(healthy + Sick.SUFFIX);
      }
    }
  }

  private Settings settings(Ground ground, Places places, Sick sick) {
    return ground
        .settings()
        .with("destination", places.healthy)
        .with("events", events())
        .with("keys", options.keys())
        .with("format", options.format())
        .with("keep", false)
        .with("warm", 0)
        .with("threads", THREADS)
        .with("interval", Duration.ofSeconds(1).toNanos() / options.rate())
        .with("sick", sick.kind())
        .with("sick-from", sick.from())
        .with("commits", ground.file(".commits"));
  }

  private long events() {
    return (long) options.rate()
        * (options.warmSeconds() + 2L * options.seconds())
        / THREADS
        * THREADS;
  }

  /** Which event of each key is written so many seconds after the start. */
  private long position(int seconds) {
    int keys = Math.max(1, options.keys() / THREADS) * THREADS;
    return (long) seconds * options.rate() / keys;
  }

  /** What is sick need not arrive; all else has to. */
  private void awaitHealthy(Child relay, Sick sick) {
    long healthy = 0;
    int keys = Math.max(1, options.keys() / THREADS);
    for (long i = 0; i < events() / THREADS; i++) {
      for (int thread = 0; thread < THREADS; thread++) {
        healthy += sick.has(Ref.of(thread + THREADS * (int) (i % keys), i / keys)) ? 0 : 1;
      }
    }
    long end = System.nanoTime() + LIMIT.toNanos();
    while (relay.count().events() < healthy && System.nanoTime() < end) {
      Pause.of(LOOK);
    }
  }

  private double latencies(Ground ground, Sick sick, Measured measured) {
    Map<Long, Long> commits = stamps(ground, ".commits");
    Map<Long, Long> confirmed = stamps(ground, ".confirmed");
    Histogram before = new Histogram(3);
    Histogram meanwhile = new Histogram(3);
    long from = position(options.warmSeconds());
    long lost = 0;
    long sickEvents = 0;
    long sickConfirmed = 0;
    for (Map.Entry<Long, Long> commit : commits.entrySet()) {
      long ref = commit.getKey();
      Long confirm = confirmed.get(ref);
      if (sick.has(ref)) {
        sickEvents++;
        sickConfirmed += confirm == null ? 0 : 1;
      } else if (confirm == null) {
        lost++;
      } else if (!sick.hasKey(ref) && Ref.position(ref) >= from) {
        Histogram half = Ref.position(ref) < sick.from() ? before : meanwhile;
        // The relay may see a commit before the writer is told of it.
        half.recordValue(Math.max(0, confirm - commit.getValue()));
      }
    }
    check(lost, sickEvents, sickConfirmed, before, meanwhile);
    measured.add(Figure.RATE, options.rate());
    measured.add(Figure.P50, meanwhile.getValueAtPercentile(50) / 1e6);
    measured.add(Figure.P99, meanwhile.getValueAtPercentile(99) / 1e6);
    measured.add(Figure.LOST, (double) lost);
    double ratio = (double) meanwhile.getValueAtPercentile(99) / before.getValueAtPercentile(99);
    measured.details().put("p50MsBefore", before.getValueAtPercentile(50) / 1e6);
    measured.details().put("p99MsBefore", before.getValueAtPercentile(99) / 1e6);
    measured.details().merge(Verdict.RATIO, ratio, Math::max);
    measured.details().put("maxMs", meanwhile.getMaxValue() / 1e6);
    measured.details().put("sickEvents", (double) sickEvents);
    measured.details().put("sickEventsConfirmed", (double) sickConfirmed);
    return ratio;
  }

  /** Without these a ratio says nothing: those that never arrived have no latency. */
  private static void check(
      long lost, long sickEvents, long sickConfirmed, Histogram before, Histogram meanwhile) {
    if (lost > 0) {
      throw new IllegalStateException(
          lost + " events that nothing was wrong with were not confirmed within " + LIMIT);
    }
    if (sickEvents == 0 || sickConfirmed > 0) {
      throw new IllegalStateException(
          "nothing was sick: of %d sick events %d were confirmed"
              .formatted(sickEvents, sickConfirmed));
    }
    if (before.getTotalCount() == 0 || meanwhile.getTotalCount() == 0) {
      throw new IllegalStateException(
          "too few events to compare: %d before and %d meanwhile"
              .formatted(before.getTotalCount(), meanwhile.getTotalCount()));
    }
  }

  private static Map<Long, Long> stamps(Ground ground, String suffix) {
    try {
      return Stamps.read(ground.file(suffix));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
