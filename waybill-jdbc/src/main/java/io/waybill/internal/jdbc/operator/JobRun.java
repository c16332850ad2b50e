package io.waybill.internal.jdbc.operator;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a job asks for its next events: a few first, then the others at a rate, all in their
 * order. It stops by itself when events are refused or fail again and none succeeds between them.
 * An event that fails again is parked or dead as before, and the others go on. Used by one thread.
 */
public final class JobRun {
  private static final int MOST_OPEN = 1_000;
  // In one transaction, and looked at in one step where many are skipped.
  private static final int SOME = 100;
  private static final int MOST_LOOKED_AT = 1_000;
  private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration BETWEEN = Duration.ofSeconds(5);

  private final Events events;
  private final Pace pace;
  private final Map<String, Integer> failuresInARow = new HashMap<>();
  // By number: when an event without an outcome was asked for, and the outcomes of which those
  // before are not known yet.
  private final TreeMap<Integer, Long> askedAt = new TreeMap<>();
  private final TreeMap<Integer, EventOutcome> early = new TreeMap<>();
  private final List<Integer> open;
  private boolean begun;
  private boolean all;
  private int succeeded;
  private int failed;
  private int refused;
  private int skipped;
  private int unclear;
  private @Nullable String stopped;
  private Phase phase;
  private int requestedInSecond;
  private long rateFrom;
  private long newsAt;
  private long now;

  /** The events of a job. */
  public interface Events extends AutoCloseable {
    /**
     * Asks for the next events, in their order, and skips those that have changed since they were
     * planned. Of dead letters: sends them.
     *
     * @param number how many at most
     * @return those asked for and skipped; none and {@link Asked#last} at the end
     */
    Asked ask(int number);

    /**
     * Outcomes that became known since the last call, each once, by the numbers of events.
     *
     * @param now monotonic time in nanoseconds
     */
    Map<Integer, EventOutcome> outcomes(long now);

    /** After the first ones, so many at most are without an outcome. */
    default int mostOpen() {
      return MOST_OPEN;
    }

    /** What is missing where nothing comes of what was asked for. */
    default String needed() {
      return "a relay has to run, and the destination to take them";
    }

    /** Lets go of what it holds; for the process that ends or leaves the job. */
    @Override
    default void close() {}
  }

  /**
   * Events that were asked for.
   *
   * @param numbers their places in the job
   * @param skipped how many were skipped between them
   * @param last whether there are no more
   * @param failure why another one could not be asked for, which ends the job; or null
   */
  public record Asked(List<Integer> numbers, int skipped, boolean last, @Nullable String failure) {
    /** Without a failure. */
    public Asked(List<Integer> numbers, int skipped, boolean last) {
      this(numbers, skipped, last, null);
    }

    /** Copies the list. */
    public Asked {
      numbers = List.copyOf(numbers);
    }
  }

  /**
   * How carefully a job goes on.
   *
   * @param canary how many are tried first; 0 for none
   * @param rate how many follow in a second
   * @param stopAfter failures of one reason in a row that stop it
   */
  public record Pace(int canary, int rate, int stopAfter) {
    /** The most events of a canary, and in a second. */
    public static final int MOST = MOST_OPEN;

    /** Checks the numbers. */
    public Pace {
      require("canary", canary, 0);
      require("rate", rate, 1);
      require("stop-after", stopAfter, 1);
    }

    private static void require(String name, int value, int least) {
      if (value < least || value > MOST) {
        throw new IllegalArgumentException(
            "%s must be from %d to %d, but is %d".formatted(name, least, MOST, value));
      }
    }
  }

  /** How far it is. */
  public enum Phase {
    /** The first ones are tried. */
    CANARY,
    /** The others follow. */
    REST,
    /** Nothing more is requested. */
    ENDED
  }

  /**
   * How many of its events had which outcome.
   *
   * @param succeeded those that were published, or for which a relay did what was requested
   * @param failed those that failed again
   * @param refused those for which a relay has refused the request, or that could not be sent
   * @param skipped those that were not as planned any more
   * @param unclear those of which nobody knows what became of them
   */
  public record Tally(int succeeded, int failed, int refused, int skipped, int unclear) {
    /** Of a job that begins. */
    public static final Tally NONE = new Tally(0, 0, 0, 0, 0);

    /** Of those that were asked for. */
    public int known() {
      return succeeded + failed + refused + unclear;
    }
  }

  /**
   * How far it is.
   *
   * @param phase where
   * @param tally outcomes
   * @param open events without an outcome
   * @param stopped why it stopped before the end, or null
   */
  public record Progress(Phase phase, Tally tally, int open, @Nullable String stopped) {
    /** Events for which something was requested. */
    public int requested() {
      return tally.known() + open;
    }
  }

  /**
   * Begins, or goes on, with the first {@link #step}.
   *
   * @param events its events
   * @param pace how carefully
   * @param tally what is known from before
   * @param open the numbers of those asked for before, without an outcome
   */
  public JobRun(Events events, Pace pace, Tally tally, List<Integer> open) {
    this.events = events;
    this.pace = pace;
    this.succeeded = tally.succeeded();
    this.failed = tally.failed();
    this.refused = tally.refused();
    this.skipped = tally.skipped();
    this.unclear = tally.unclear();
    this.open = List.copyOf(open);
    this.phase = tally.known() + open.size() > pace.canary() ? Phase.REST : Phase.CANARY;
  }

  /** How far it is. */
  public Progress progress() {
    return new Progress(phase, tally(), askedAt.size(), stopped);
  }

  private Tally tally() {
    return new Tally(succeeded, failed, refused, skipped, unclear);
  }

  private int requested() {
    return tally().known() + askedAt.size();
  }

  /**
   * Does what is due; to be called about ten times a second.
   *
   * @param now monotonic time in nanoseconds
   * @return whether it has ended
   */
  public boolean step(long now) {
    this.now = now;
    if (!begun) {
      begun = true;
      newsAt = now;
      rateFrom = now;
      open.forEach(number -> askedAt.put(number, now));
    }
    events.outcomes(now).forEach(this::take);
    judge();
    if (phase == Phase.CANARY) {
      canary();
    }
    if (phase == Phase.REST) {
      rest();
    }
    int waiting = askedAt.size();
    if (phase != Phase.ENDED && waiting > 0 && now - newsAt > PATIENCE.toNanos()) {
      stop(
          "nothing has come of %d event(s) for %d s: %s"
              .formatted(waiting, PATIENCE.toSeconds(), events.needed()));
    }
    return phase == Phase.ENDED;
  }

  private void stop(String why) {
    stopped = why;
    phase = Phase.ENDED;
  }

  private void canary() {
    if (!all && requested() < pace.canary()) {
      ask(pace.canary() - requested());
    }
    if (phase == Phase.ENDED) {
      return;
    }
    if (!askedAt.isEmpty() || (!all && requested() < pace.canary())) {
      return;
    }
    if (requested() > 0 && succeeded + unclear == 0) {
      stop("no event of the canary succeeded");
      return;
    }
    phase = Phase.REST;
    rateFrom = now;
  }

  private void rest() {
    if (now - rateFrom > SECOND_NANOS * 6 / 5) {
      // What was missed is not made up for.
      rateFrom = now;
      requestedInSecond = 0;
    }
    long due = Math.min(now - rateFrom, SECOND_NANOS) * pace.rate() / SECOND_NANOS;
    int wanted = (int) Math.min(due - requestedInSecond, events.mostOpen() - askedAt.size());
    if (!all && wanted > 0) {
      requestedInSecond += wanted;
      ask(wanted);
    }
    if (now - rateFrom >= SECOND_NANOS) {
      rateFrom += SECOND_NANOS;
      requestedInSecond = 0;
    }
    if (all && askedAt.isEmpty()) {
      phase = Phase.ENDED;
    }
  }

  private void ask(int number) {
    if (askedAt.isEmpty()) {
      newsAt = now;
    }
    int left = number;
    for (int looked = 0; left > 0 && !all && looked < MOST_LOOKED_AT && phase != Phase.ENDED; ) {
      Asked asked = events.ask(Math.min(left, SOME));
      all = asked.last();
      skipped += asked.skipped();
      looked += asked.numbers().size() + asked.skipped();
      left -= asked.numbers().size();
      asked.numbers().forEach(each -> askedAt.put(each, now));
      if (asked.failure() != null) {
        refused++;
        stop(asked.failure());
      }
    }
  }

  private void take(int number, EventOutcome outcome) {
    switch (outcome.kind()) {
      case DONE, PUBLISHED -> succeeded++;
      case REFUSED -> refused++;
      case FAILED -> failed++;
      case UNCLEAR -> unclear++;
    }
    newsAt = now;
    askedAt.remove(number);
    early.put(number, outcome);
  }

  /** Judges outcomes in the order of the events, and waits a while for those that stand between. */
  private void judge() {
    int until = Integer.MAX_VALUE;
    for (Map.Entry<Integer, Long> each : askedAt.entrySet()) {
      if (now - each.getValue() < BETWEEN.toNanos()) {
        until = each.getKey();
        break;
      }
    }
    while (!early.isEmpty() && early.firstKey() < until) {
      EventOutcome outcome = Objects.requireNonNull(early.pollFirstEntry()).getValue();
      switch (outcome.kind()) {
        case DONE, PUBLISHED -> failuresInARow.clear();
        case REFUSED -> inARow("were refused by the relay", outcome);
        case FAILED -> inARow("failed again", outcome);
        case UNCLEAR -> {}
      }
    }
  }

  private void inARow(String what, EventOutcome outcome) {
    String reason = Objects.requireNonNullElse(outcome.reason(), "");
    int number = failuresInARow.merge(what + ": " + reason, 1, Integer::sum);
    if (number >= pace.stopAfter() && phase != Phase.ENDED) {
      stop("%d events %s without a success between: %s".formatted(number, what, reason));
    }
  }
}
