package io.waybill.bench;

import io.waybill.bench.DrainRun.Closing;
import io.waybill.bench.Measured.Figure;
import io.waybill.bench.Sample.Span;
import io.waybill.bench.Stage.Ground;
import io.waybill.bench.child.ChildMain.Role;
import io.waybill.bench.measure.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Several processes of one candidate carry one backlog together, once. They are asked how far they
 * are, since none of them knows when half of the whole is done.
 *
 * @param stage the servers
 * @param options size of the run
 * @param instances number of processes
 */
record FleetRun(Stage stage, Options options, int instances) {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration ASK_EVERY = Duration.ofMillis(20);
  private static final int HEAP_MB = 256;

  Span run(Candidate candidate, Measured measured) {
    try (Ground ground = stage.ground(candidate.table(), options.events(), options.keys());
        Closing all = new Closing()) {
      Settings settings =
          ground
              .settings()
              .with("events", options.events())
              .with("keys", options.keys())
              .with("keep", candidate.keeps())
              .with("format", options.format());
      Path log = ground.file(".log");
      Child verifier = all.add(Child.start(Role.VERIFIER, settings, HEAP_MB, log));
      verifier.await("ready", LIMIT);
      List<Child> fleet = new ArrayList<>();
      for (int i = 0; i < instances; i++) {
        Child child = all.add(Child.start(candidate.role(), settings, HEAP_MB, log));
        child.await("ready", LIMIT);
        fleet.add(child);
      }
      fleet.forEach(child -> child.say("go"));
      Sample start = sample(0, fleet, verifier);
      Sample half = awaitCount(options.events() / 2, fleet, verifier);
      Sample done = awaitCount(options.events(), fleet, verifier);
      // A small backlog may be gone between two questions.
      Span span = done.since(half.completed() < done.completed() ? half : start);
      span.addTo(measured);
      measured.add(Figure.PEAK_RSS, fleet.stream().mapToDouble(Child::peakRssMb).sum());
      measured.add(Figure.CONSUMER_CPU, span.consumer());
      DrainRun.verdict(verifier, measured);
      fleet.forEach(child -> child.say("stop"));
      fleet.forEach(child -> child.awaitEnd(LIMIT));
      return span;
    }
  }

  private Sample sample(long count, List<Child> fleet, Child verifier) {
    return new Sample(
        count,
        System.nanoTime(),
        fleet.stream().mapToDouble(Child::cpuSeconds).sum(),
        stage.databaseCpuSeconds(),
        stage.brokerCpuSeconds(),
        verifier.cpuSeconds());
  }

  private Sample awaitCount(long events, List<Child> fleet, Child verifier) {
    long end = System.nanoTime() + LIMIT.plusMillis(options.events() * 5).toNanos();
    while (true) {
      long count = 0;
      for (Child child : fleet) {
        child.say("count");
        count += Long.parseLong(child.await("count", LIMIT).get(0));
      }
      if (count >= events) {
        return sample(count, fleet, verifier);
      }
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException(count + " of " + events + " events are done in time");
      }
      Pause.of(ASK_EVERY);
    }
  }
}
