package io.waybill.bench.run;

import io.waybill.bench.child.ChildMain.Role;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.run.Sample.Span;
import io.waybill.bench.stage.Child;
import io.waybill.bench.stage.Closing;
import io.waybill.bench.stage.Contender;
import io.waybill.bench.stage.Stage;
import io.waybill.bench.stage.Stage.Ground;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One or more instances of a candidate carry one backlog, until it is done or time is up. The
 * figures are of what was done until then.
 *
 * @param stage the servers
 * @param events size of the backlog
 * @param keys number of keys
 * @param format of Waybill's messages
 * @param instances processes that relay from the same tables
 * @param cap time from the start of the relays
 */
public record CappedDrain(
    Stage stage, long events, int keys, String format, int instances, Duration cap) {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration VERDICT_LIMIT = Duration.ofMinutes(5);
  private static final int HEAP_MB = 256;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * What a drain was.
   *
   * @param timeline counts and CPU from the start of the relays on
   * @param complete whether the backlog was done before time was up
   * @param peakRssMb largest memory of an instance
   * @param verdict of the verifier, null without one
   */
  public record Outcome(
      Timeline timeline, boolean complete, double peakRssMb, @Nullable Verdict verdict) {
    /** Adds what the verifier found, if there was one. */
    public void judge(Measured measured) {
      if (verdict != null) {
        measured.add(Figure.LOST, verdict.lost());
        measured.add(Figure.DUPLICATES, verdict.duplicates());
        measured.add(Figure.INVERSIONS, verdict.inversions());
      }
    }
  }

  /**
   * What the verifier found.
   *
   * @param lost events that were confirmed and never arrived
   * @param duplicates second and later arrivals
   * @param inversions first arrivals behind a later event of their key
   */
  public record Verdict(double lost, double duplicates, double inversions) {}

  /** Measures one candidate. */
  public Outcome run(Contender candidate) {
    try (Ground ground = stage.ground(candidate.table(), events, keys);
        Closing all = new Closing()) {
      Settings settings =
          ground
              .settings()
              .with("events", events)
              .with("keys", keys)
              .with("format", format)
              .with("keep", candidate.keeps());
      Path log = ground.file(".log");
      candidate.prepare(settings, log);
      Child verifier = null;
      if (candidate.publishes()) {
        verifier = all.add(Child.start(Role.VERIFIER, settings, HEAP_MB, log));
        verifier.await("ready", START_LIMIT);
      }
      List<Child> children = new ArrayList<>();
      for (int i = 0; i < instances; i++) {
        Child child = all.add(candidate.start(settings, HEAP_MB, log));
        children.add(child);
        child.await("ready", START_LIMIT);
      }
      return measure(children, verifier);
    }
  }

  private Outcome measure(List<Child> children, @Nullable Child verifier) {
    children.forEach(child -> child.say("go"));
    Timeline timeline = new Timeline();
    long end = System.nanoTime() + cap.toNanos();
    timeline.add(sample(children, verifier, System.nanoTime()));
    while (timeline.last().completed() < events && System.nanoTime() < end) {
      LockSupport.parkNanos(PAUSE_NANOS);
      timeline.add(sample(children, verifier, timeline.last().nanos()));
    }
    boolean complete = timeline.last().completed() >= events;
    double peak = children.stream().mapToDouble(Child::peakRssMb).max().orElse(0);
    if (timeline.last().completed() == 0) {
      throw new IllegalStateException("Nothing was confirmed within " + cap.toSeconds() + " s");
    }
    if (!complete) {
      // What has not been confirmed by now is not lost, and what is in flight would blur the count.
      children.forEach(Child::close);
    }
    Verdict verdict = verifier == null ? null : verdict(verifier, complete, timeline.last());
    return new Outcome(timeline, complete, peak, verdict);
  }

  private Sample sample(List<Child> children, @Nullable Child verifier, long notBefore) {
    long completed = 0;
    long nanos = notBefore;
    double cpu = 0;
    for (Child child : children) {
      Child.Count count = child.count();
      completed += count.events();
      nanos = count.events() == 0 ? nanos : Math.max(nanos, count.nanos());
      cpu += child.cpuSeconds();
    }
    return new Sample(
        completed,
        nanos,
        cpu,
        stage.databaseCpuSeconds(),
        stage.brokerCpuSeconds(),
        verifier == null ? 0 : verifier.cpuSeconds());
  }

  private static Verdict verdict(Child verifier, boolean complete, Sample last) {
    if (!complete) {
      verifier.say("expect " + last.completed());
    }
    verifier.say("stop");
    List<String> words = verifier.await("verdict", VERDICT_LIMIT);
    return new Verdict(
        Double.parseDouble(words.get(0)),
        Double.parseDouble(words.get(1)),
        Double.parseDouble(words.get(2)));
  }

  /** Counts and CPU over time. Not thread-safe. */
  public static final class Timeline {
    private final List<Sample> samples = new ArrayList<>();

    void add(Sample sample) {
      samples.add(sample);
    }

    /** The last sample. */
    public Sample last() {
      return samples.get(samples.size() - 1);
    }

    /** From the start of the relays to the last event. */
    public Span cold() {
      return last().since(samples.get(0));
    }

    /** From the sample at which half of what was done was done, to the last event. */
    public Span warm() {
      Sample middle =
          samples.stream()
              .filter(sample -> sample.completed() * 2 >= last().completed())
              .findFirst()
              .orElse(samples.get(0));
      // Too quick to have a second half between two samples.
      return middle.completed() == last().completed() ? cold() : last().since(middle);
    }

    /** From the start of the relays to the first sample that shows an event. */
    public double secondsToFirst() {
      return samples.stream()
          .filter(sample -> sample.completed() > 0)
          .findFirst()
          .map(sample -> (sample.nanos() - samples.get(0).nanos()) / 1e9)
          .orElse(0.0);
    }
  }
}
