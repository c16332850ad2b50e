package io.waybill.bench.takeover;

import io.waybill.bench.child.ChildMain.Role;
import io.waybill.bench.measure.Pause;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.measure.Stamps;
import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.run.DrainRun;
import io.waybill.bench.stage.Candidate.Table;
import io.waybill.bench.stage.Child;
import io.waybill.bench.stage.Closing;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import io.waybill.bench.stage.Stage.Ground;
import io.waybill.policy.EngineSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A steady load that several relays share, and the same fault again and again.
 *
 * @param stage the servers
 * @param options size of the run
 * @param fault what happens to the relays
 */
record TakeoverRun(Stage stage, Options options, Fault fault) {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int THREADS = 4;
  // The writer is stopped long before.
  private static final long ENDLESS = 1_000_000_000;
  private static final int MOST_CALMS = 5;
  private static final Duration LOOKS =
      EngineSettings.defaults(Duration.ofSeconds(10), 1).viewInterval();
  private static final double LEAST_SHARE = 0.95;

  void run(Measured measured) {
    try (Ground ground = stage.ground(Table.own(options.database()), 0, options.keys());
        Closing all = new Closing()) {
      Lanes lanes = all.add(new Lanes(ground.url()));
      int[] ofKeys = lanes.ofKeys(options.keys());
      Settings settings = settings(ground);
      Path log = ground.file(".log");
      Settings receiving = settings.with("stamps", ground.file(".received"));
      Child verifier = all.add(Child.start(Role.VERIFIER, receiving, Relays.HEAP_MB, log));
      verifier.await("ready", LIMIT);
      Duration between = Duration.ofNanos((long) (options.pauseSeconds() * 1e9));
      Relays relays = all.add(new Relays(settings, log, lanes, fault == Fault.SILENCED, between));
      relays.prepare(fault.candidate().instances());
      relays.startUpTo(fault.candidate().instances());
      Child writer = all.add(Child.start(Role.WRITER, settings, Relays.HEAP_MB, log));
      writer.await("ready", LIMIT);
      long began = System.nanoTime();
      writer.say("go");
      Pause.of(Duration.ofSeconds(options.warmSeconds()));
      List<Round> rounds = rounds(relays, lanes, new Level(writer, verifier, options.rate()));
      writer.say("stop");
      long written = Long.parseLong(writer.await("written", LIMIT).get(0));
      rate(written * 1e9 / (System.nanoTime() - began), measured);
      measured.add(Figure.PEAK_RSS, relays.peakRssMb());
      verifier.say("total " + written);
      DrainRun.verdict(verifier, measured);
      relays.stopAll();
      figures(rounds, arrivals(ground), ofKeys, measured);
    }
  }

  /** Gaps say nothing of the relays where the writer is late. */
  private void rate(double rate, Measured measured) {
    double share = rate / options.rate();
    measured.add(Figure.RATE, rate);
    measured.details().put("shareOfAskedRate", share);
    if (share < LEAST_SHARE) {
      Progress.show("the writer kept %.2f of its rate: the machine is too busy".formatted(share));
    }
  }

  private Settings settings(Ground ground) {
    return ground
        .settings()
        .with("events", ENDLESS)
        .with("keys", options.keys())
        .with("format", options.format())
        .with("keep", false)
        .with("warm", 0)
        .with("threads", THREADS)
        .with("interval", Duration.ofSeconds(1).toNanos() / options.rate())
        .with("commits", ground.file(".commits"));
  }

  private List<Round> rounds(Relays relays, Lanes lanes, Level level) {
    List<Round> rounds = new ArrayList<>();
    for (int number = 1; number <= options.rounds(); number++) {
      relays.prepare(fault.spares());
      relays.awaitEven(fault.candidate().instances());
      level.await();
      calm(lanes);
      // Relays look at each other at even times after a lane has moved. The pauses here are even
      // too, so all faults would come at the same moment between two looks.
      Pause.of(LOOKS.multipliedBy(number - 1).dividedBy(options.rounds()));
      long struck = System.nanoTime();
      fault.strike(relays);
      relays.awaitEven(fault.left());
      long owned = System.nanoTime();
      level.await();
      pauseUntil(struck + calmNanos());
      Round round = new Round(struck, System.nanoTime(), calmNanos(), owned, lanes.moved());
      rounds.add(round);
      show(
          number,
          "%d lanes moved, all owned after %.2f s, calm after %.1f s"
              .formatted(
                  round.moved().size(), round.secondsUntilOwned(), (round.end() - struck) / 1e9));
      fault.mend(relays);
    }
    return rounds;
  }

  /** A time in which no lane has moved. */
  private void calm(Lanes lanes) {
    for (int i = 0; i < MOST_CALMS; i++) {
      lanes.moved();
      pauseUntil(System.nanoTime() + calmNanos());
      if (lanes.moved().isEmpty()) {
        return;
      }
    }
    throw new IllegalStateException("lanes move although nothing happens to the relays");
  }

  private long calmNanos() {
    return Duration.ofSeconds(options.seconds()).toNanos();
  }

  private static void pauseUntil(long moment) {
    Pause.of(Duration.ofNanos(Math.max(0, moment - System.nanoTime())));
  }

  private Arrivals arrivals(Ground ground) {
    try {
      return Arrivals.of(
          Stamps.read(ground.file(".commits")),
          Stamps.read(ground.file(".received")),
          options.keys());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void figures(List<Round> rounds, Arrivals arrivals, int[] lanes, Measured measured) {
    Standstill all = new Standstill();
    for (int i = 0; i < rounds.size(); i++) {
      Standstill one = Standstill.of(arrivals, rounds.get(i), lanes);
      show(i + 1, one.toString());
      all.add(one);
      measured.details().merge("ownedSeconds", rounds.get(i).secondsUntilOwned(), Math::max);
    }
    all.addTo(measured);
    measured.details().put("intervalSeconds", (double) options.keys() / options.rate());
  }

  private void show(int round, String words) {
    Progress.show(
        "round %d/%d  %-20s %s"
            .formatted(round, options.rounds(), fault.candidate().label(), words));
  }
}
