package io.waybill.bench.scenario;

import io.waybill.bench.child.ChildMain.Role;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.measure.Stamps;
import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.run.DrainRun;
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

/**
 * Business transactions of one event each, by several threads, as fast as they go. What arrives is
 * verified afterwards, so that the verifier takes nothing from them.
 *
 * @param stage the servers
 * @param options size of the run
 * @param relay whether a relay works beside them
 */
record WritersRun(Stage stage, Options options, boolean relay) {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int HEAP_MB = 256;
  private static final int THREADS = 16;

  /** Returns committed transactions per second, over the second half. */
  double run(Measured measured) {
    long events = options.events() / THREADS * THREADS;
    try (Ground ground = stage.ground(Candidate.Table.WAYBILL, 0, options.keys());
        Closing all = new Closing()) {
      Settings settings = settings(ground, events);
      Path log = ground.file(".log");
      Child relaying = relay ? all.add(Child.start(Role.WAYBILL, settings, HEAP_MB, log)) : null;
      if (relaying != null) {
        relaying.await("ready", LIMIT);
        relaying.say("go");
      }
      Child writer = all.add(Child.start(Role.WRITER, settings, HEAP_MB, log));
      writer.await("ready", LIMIT);
      LockWaits waits = all.add(LockWaits.watch(ground.url()));
      writer.say("go");
      writer.await("written", LIMIT.plusMillis(events * 5));
      waits.stop();
      double rate = rateOfSecondHalf(ground.file(".commits"));
      measured.add(Figure.RATE, rate);
      measured.details().merge("lockSamples", (double) waits.samples(), Double::sum);
      measured.details().merge("lockWaits", (double) waits.waits(), Double::sum);
      if (relaying != null) {
        measured.details().merge("lockWaitsForRelay", (double) waits.forRelay(), Double::sum);
        measured.details().put("behindAtEnd", (double) events - count(relaying));
        relaying.await("done", LIMIT.plusMillis(events * 5));
        measured.add(Figure.PEAK_RSS, relaying.peakRssMb());
        verify(settings, log, all, measured);
        relaying.say("stop");
        relaying.awaitEnd(LIMIT);
      }
      return rate;
    }
  }

  /** In the first half all processes compile. */
  private static double rateOfSecondHalf(Path commits) {
    try {
      long[] times =
          Stamps.read(commits).values().stream().mapToLong(Long::longValue).sorted().toArray();
      int half = times.length / 2;
      int last = times.length - 1;
      return (last - half) * 1e9 / (times[last] - times[half]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Settings settings(Ground ground, long events) {
    return ground
        .settings()
        .with("events", events)
        .with("keys", options.keys())
        .with("format", options.format())
        .with("keep", false)
        .with("warm", 0)
        .with("threads", THREADS)
        .with("interval", 0)
        .with("commits", ground.file(".commits"));
  }

  private static double count(Child child) {
    child.say("count");
    return Double.parseDouble(child.await("count", LIMIT).get(0));
  }

  private static void verify(Settings settings, Path log, Closing all, Measured measured) {
    Child verifier = all.add(Child.start(Role.VERIFIER, settings, HEAP_MB, log));
    verifier.await("ready", LIMIT);
    DrainRun.verdict(verifier, measured);
  }
}
