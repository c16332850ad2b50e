package io.waybill.bench.scenario;

import io.waybill.admin.Admin;
import io.waybill.admin.Instruction;
import io.waybill.bench.child.ChildMain.Role;
import io.waybill.bench.measure.Pause;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.measure.Stamps;
import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.run.DrainRun;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Child;
import io.waybill.bench.stage.Closing;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import io.waybill.bench.stage.Stage.Ground;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.database.ConnectionFactory;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.message.Destination;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;

/**
 * One relay and a steady load. First an operator pauses the destination, once shortly so that the
 * relay's code is compiled, and once for long, which says how fast the relay makes up for that much
 * beside these writers. Then the broker is killed, stays away for as long, and comes back on the
 * same data.
 *
 * @param stage the servers
 * @param options size of the run
 */
record OutageRun(Stage stage, Options options) {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int HEAP_MB = 256;
  private static final int THREADS = 4;
  private static final int TELL_EVERY_SECONDS = 30;
  private static final Duration LOOK = Duration.ofMillis(200);
  // So many in a row that find the relay no closer: three seconds, in which only a stall does not
  // show.
  private static final int LOOKS = 15;
  private static final int LONGEST_PRACTICE_SECONDS = 30;
  // What a relay carries at least on any machine; more only makes the limit longer.
  private static final int LEAST_RATE = 2_000;
  private static final Instruction WHY = new Instruction("bench", "a backlog without an outage");

  /**
   * Events confirmed in a second until the relay had caught up.
   *
   * @param peak after the pause
   * @param recovery after the outage
   */
  record Rates(double peak, double recovery) {}

  Rates run(Candidate candidate, Measured measured) {
    long seconds = options.warmSeconds() + 2L * options.outageSeconds() + 2L * options.seconds();
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
      Schedule written = new Schedule(System.nanoTime(), options.rate());
      Pause.of(Duration.ofSeconds(options.warmSeconds()));
      pause(ground, practiceSeconds(), relay, written);
      long resumed = pause(ground, options.outageSeconds(), relay, written);
      long killed = System.nanoTime();
      long restart = outage();
      writer.await("written", LIMIT.plusSeconds(2 * seconds));
      relay.await("done", LIMIT.plusMillis(events * 5));
      measured.add(Figure.PEAK_RSS, relay.peakRssMb());
      DrainRun.verdict(verifier, measured);
      relay.say("stop");
      relay.awaitEnd(LIMIT);
      return rates(ground, new Times(resumed, killed, restart), measured);
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

  /** When what happened, monotonic. */
  private record Times(long resumed, long killed, long restart) {}

  /** What has been written by now: writers keep to their pace. */
  private record Schedule(long start, int rate) {
    long events() {
      return (long) ((System.nanoTime() - start) / 1e9 * rate);
    }
  }

  private int practiceSeconds() {
    return Math.min(LONGEST_PRACTICE_SECONDS, options.outageSeconds());
  }

  /** Returns the monotonic time at which the destination was resumed; the relay has caught up. */
  private long pause(Ground ground, int seconds, Child relay, Schedule written) {
    String queue = ground.settings().text("destination");
    String destination =
        options.broker() == BrokerKind.KAFKA
            ? queue
            : Destination.exchange(BrokerKind.EXCHANGE, queue).name();
    ConnectionFactory connections = ConnectionFactory.postgres(ground.url(), new Properties());
    try (Admin admin = PostgresOutbox.of(connections, PostgresOptions.ofDefaults()).admin()) {
      admin.pause(destination, true, WHY);
      pass("the destination is paused", seconds);
      long resumed = System.nanoTime();
      admin.pause(destination, false, WHY);
      long end =
          resumed + LIMIT.plusSeconds((long) seconds * options.rate() / LEAST_RATE).toNanos();
      awaitLevel(relay, written, end);
      return resumed;
    }
  }

  /** Until the relay is no longer getting closer to what should be written by now. */
  private void awaitLevel(Child relay, Schedule written, long end) {
    long least = Long.MAX_VALUE;
    int looks = 0;
    while (looks < LOOKS) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("the relay has not caught up after a pause");
      }
      Pause.of(LOOK);
      long behind = written.events() - relay.count().events();
      boolean closer = behind < least - options.rate() / 10;
      looks = closer ? 0 : looks + 1;
      least = closer ? behind : least;
    }
  }

  /** Returns the monotonic time at which the broker was started again. */
  private long outage() {
    stage.killBroker();
    pass("the broker is gone", options.outageSeconds());
    long restart = System.nanoTime();
    stage.restartBroker();
    Progress.show("the broker is back");
    return restart;
  }

  private static void pass(String what, int seconds) {
    int left = seconds;
    while (left > 0) {
      Progress.show("%s, for %d s more".formatted(what, left));
      int step = Math.min(left, TELL_EVERY_SECONDS);
      Pause.of(Duration.ofSeconds(step));
      left -= step;
    }
  }

  private Rates rates(Ground ground, Times times, Measured measured) {
    try {
      Map<Long, Long> commits = Stamps.read(ground.file(".commits"));
      Map<Long, Long> confirmed = Stamps.read(ground.file(".confirmed"));
      Recovery pause = Recovery.of(commits, confirmed, times.resumed());
      Recovery outage = Recovery.of(commits, confirmed, times.restart());
      check(pause, outage, times, commits);
      outage.addTo(measured);
      measured.details().put("pauseBacklogEvents", (double) pause.backlog());
      return new Rates(pause.rate(), outage.rate());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Without these the two rates are not those of the same work. */
  private void check(Recovery pause, Recovery outage, Times times, Map<Long, Long> commits) {
    long least = (long) options.rate() * options.outageSeconds() / 2;
    if (pause.backlog() < least || outage.backlog() < least) {
      throw new IllegalStateException(
          "too little waited: %d events after the pause, %d after the outage, must be %d"
              .formatted(pause.backlog(), outage.backlog(), least));
    }
    if (pause.caughtUp(times.resumed()) > times.killed()) {
      throw new IllegalStateException("the broker was killed before the relay had caught up");
    }
    long lastCommit = commits.values().stream().mapToLong(Long::longValue).max().orElse(0);
    if (lastCommit < outage.caughtUp(times.restart())) {
      throw new IllegalStateException(
          "the writers had ended before the relay had caught up: --seconds must be longer");
    }
  }
}
