package io.waybill.internal.jdbc.operator;

import io.waybill.admin.EventFilter;
import io.waybill.admin.EventView;
import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.operator.RequestOutcomes.Outcome;
import io.waybill.store.OperatorRequest.Verb;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Retries the events of a group of failures in the order of their rows: a few first, then the
 * others at a rate. It stops by itself when events fail again and none is published between them.
 * An event that fails again is parked or dead as before, and the others go on. Used by one thread;
 * {@link #progress} by any.
 */
public final class GroupRetry {
  private static final int MOST_OPEN = 1_000;
  private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration BETWEEN = Duration.ofSeconds(5);

  private final EventRequests events;
  private final Plan plan;
  private final Instruction by;
  private final RequestOutcomes outcomes;
  private final Map<String, Integer> failuresInARow = new HashMap<>();
  // In the order in which they were asked for: when that was, while there is no outcome, and the
  // outcomes of which those before are not known yet.
  private final Map<String, Integer> order = new HashMap<>();
  private final TreeMap<Integer, Long> askedAt = new TreeMap<>();
  private final TreeMap<Integer, Outcome> early = new TreeMap<>();
  private volatile Progress progress = new Progress(Phase.CANARY, 0, 0, 0, 0, 0, null);
  private @Nullable String after;
  private boolean all;
  private int asked;
  private int requested;
  private int published;
  private int failed;
  private int refused;
  private @Nullable String stopped;
  private Phase phase = Phase.CANARY;
  private int requestedInSecond;
  private long rateFrom;
  private long newsAt;
  private long now;

  /**
   * What to retry, and how carefully.
   *
   * @param filter which events
   * @param canary how many are tried first; 0 for none
   * @param rate how many follow in a second
   * @param stopAfter failures of one reason in a row that stop it
   */
  public record Plan(EventFilter filter, int canary, int rate, int stopAfter) {
    /** The most events of a canary, and in a second. */
    public static final int MOST = MOST_OPEN;

    /** Checks the numbers. */
    public Plan {
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
   * How far it is.
   *
   * @param phase where
   * @param requested events for which a retry was requested
   * @param published those that were published
   * @param failed those that failed again
   * @param refused those for which a relay has refused the request
   * @param open those without an outcome
   * @param stopped why it stopped before the end, or null
   */
  public record Progress(
      Phase phase,
      int requested,
      int published,
      int failed,
      int refused,
      int open,
      @Nullable String stopped) {}

  /**
   * Begins with the first {@link #step}.
   *
   * @param events finds them and asks
   * @param plan what, and how carefully
   * @param by who asks, and why
   */
  public GroupRetry(EventRequests events, Plan plan, Instruction by) {
    this.events = events;
    this.plan = plan;
    this.by = by;
    this.outcomes = new RequestOutcomes(events, Verb.RETRY, this::take);
  }

  /** How far it is. */
  public Progress progress() {
    return progress;
  }

  /**
   * Does what is due; to be called about ten times a second.
   *
   * @param now monotonic time in nanoseconds
   * @return whether it has ended
   */
  public boolean step(long now) {
    int known = published + failed + refused;
    this.now = now;
    outcomes.look();
    judge();
    if (requested == 0 || published + failed + refused > known) {
      newsAt = now;
    }
    if (phase == Phase.CANARY) {
      canary();
    }
    if (phase == Phase.REST) {
      rest();
    }
    if (phase != Phase.ENDED && open() > 0 && now - newsAt > PATIENCE.toNanos()) {
      stop(
          "nothing has come of %d event(s) for %d s: a relay has to run, and the destination to take them"
              .formatted(open(), PATIENCE.toSeconds()));
    }
    progress = new Progress(phase, requested, published, failed, refused, open(), stopped);
    return phase == Phase.ENDED;
  }

  /** Nothing more is requested; what was requested has its course. */
  public void stop(String why) {
    stopped = why;
    phase = Phase.ENDED;
  }

  private void canary() {
    if (requested == 0 && plan.canary() > 0) {
      request(plan.canary());
    }
    if (open() > 0) {
      return;
    }
    if (requested > 0 && published == 0) {
      stop("no event of the canary was published");
      return;
    }
    phase = Phase.REST;
    rateFrom = now;
  }

  private void rest() {
    long due = Math.min(now - rateFrom, SECOND_NANOS) * plan.rate() / SECOND_NANOS;
    int wanted = (int) Math.min(due - requestedInSecond, MOST_OPEN - open());
    if (!all && wanted > 0) {
      requestedInSecond += wanted;
      request(wanted);
    }
    if (now - rateFrom >= SECOND_NANOS) {
      // What was missed before that is not made up for.
      rateFrom = now - rateFrom >= 2 * SECOND_NANOS ? now : rateFrom + SECOND_NANOS;
      requestedInSecond = 0;
    }
    if (all && open() == 0) {
      phase = Phase.ENDED;
    }
  }

  private int open() {
    return outcomes.unanswered() + outcomes.undecided();
  }

  private void request(int number) {
    List<EventView> page = events.find(plan.filter(), after, number);
    all = page.size() < number;
    if (page.isEmpty()) {
      return;
    }
    after = page.get(page.size() - 1).position();
    List<String> ids = page.stream().map(EventView::eventId).toList();
    int made = events.request(Verb.RETRY, EventFilter.ids(ids), ids.size(), by);
    requested += ids.size();
    List<String> there = made == ids.size() ? ids : stillThere(ids);
    for (String id : there) {
      order.put(id, ++asked);
      askedAt.put(asked, now);
    }
    outcomes.expect(there);
  }

  /** One that is tried again anyway may have been published, and deleted, since it was listed. */
  private List<String> stillThere(List<String> ids) {
    Set<String> there = new HashSet<>();
    events.find(EventFilter.ids(ids), null, ids.size()).forEach(e -> there.add(e.eventId()));
    published += ids.size() - there.size();
    newsAt = now;
    return ids.stream().filter(there::contains).toList();
  }

  private void take(Outcome outcome) {
    switch (outcome.kind()) {
      case DONE -> {
        return;
      }
      case REFUSED -> refused++;
      case PUBLISHED -> published++;
      case FAILED -> failed++;
    }
    Integer place = order.remove(outcome.eventId());
    if (place != null) {
      askedAt.remove(place);
      early.put(place, outcome);
    }
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
      Outcome outcome = Objects.requireNonNull(early.pollFirstEntry()).getValue();
      switch (outcome.kind()) {
        case DONE -> {}
        case PUBLISHED -> failuresInARow.clear();
        case REFUSED -> inARow("the relay refused them", outcome);
        case FAILED -> inARow("they failed again", outcome);
      }
    }
  }

  private void inARow(String what, Outcome outcome) {
    String reason = Objects.requireNonNullElse(outcome.reason(), "");
    int number = failuresInARow.merge(what + ": " + reason, 1, Integer::sum);
    if (number >= plan.stopAfter() && phase != Phase.ENDED) {
      stop("none was published between %d events; %s: %s".formatted(number, what, reason));
    }
  }
}
