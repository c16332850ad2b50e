package io.waybill.bench;

import io.waybill.bench.DrainRun.Closing;
import io.waybill.bench.Measured.Figure;
import io.waybill.bench.Stage.Ground;
import io.waybill.bench.child.ChildMain.Role;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.measure.Stamps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * One relay and a steady load; the broker is killed, stays away, and comes back on the same data.
 *
 * @param stage the servers
 * @param options size of the run
 */
record OutageRun(Stage stage, Options options) {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int HEAP_MB = 256;
  private static final int THREADS = 4;
  private static final int TELL_EVERY_SECONDS = 30;

  /** Returns how many events a second it confirmed until it had caught up. */
  double run(Candidate candidate, Measured measured) {
    long seconds = (long) options.warmSeconds() + options.outageSeconds() + options.seconds();
    long events = options.rate() * seconds / THREADS * THREADS;
    try (Ground ground = stage.ground(candidate.table(), 0, options.keys());
        Closing all = new Closing()) {
      Settings settings = settings(ground, events);
      Path log = ground.file(".log");
      Child verifier = all.add(Child.start(Role.VERIFIER, settings, HEAP_MB, log));
      verifier.await("ready", LIMIT);
      Settings sending = settings.with("stamps", ground.file(".confirmed"));
      Child relay = all.add(Child.start(candidate.role(), sending, HEAP_MB, log));
      relay.await("ready", LIMIT);
      relay.say("go");
      Child writer = all.add(Child.start(Role.WRITER, settings, HEAP_MB, log));
      writer.await("ready", LIMIT);
      writer.say("go");
      Pause.of(Duration.ofSeconds(options.warmSeconds()));
      long restart = outage();
      writer.await("written", LIMIT.plusSeconds(2 * seconds));
      relay.await("done", LIMIT.plusMillis(events * 5));
      measured.add(Figure.PEAK_RSS, relay.peakRssMb());
      DrainRun.verdict(verifier, measured);
      relay.say("stop");
      relay.awaitEnd(LIMIT);
      return recovery(ground, restart, measured);
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
        .with("interval", Duration.ofSeconds(1).toNanos() / options.rate())
        .with("commits", ground.file(".commits"));
  }

  /** Returns the monotonic time at which the broker was started again. */
  private long outage() {
    stage.killBroker();
    int left = options.outageSeconds();
    while (left > 0) {
      Progress.show("the broker is gone, for %d s more".formatted(left));
      int step = Math.min(left, TELL_EVERY_SECONDS);
      Pause.of(Duration.ofSeconds(step));
      left -= step;
    }
    long restart = System.nanoTime();
    stage.restartBroker();
    Progress.show("the broker is back");
    return restart;
  }

  private static double recovery(Ground ground, long restart, Measured measured) {
    try {
      Recovery recovery =
          Recovery.of(
              Stamps.read(ground.file(".commits")),
              Stamps.read(ground.file(".confirmed")),
              restart);
      recovery.addTo(measured);
      return recovery.rate();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
