package io.waybill.internal.relay;

import io.waybill.broker.Confirmation;
import io.waybill.message.EventKey;
import io.waybill.store.FailedRow;
import io.waybill.store.RowState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Has the table show why the first row of a key waits, where nothing is recorded of that: nobody
 * answers, or its destination refuses. A key is noted once a minute at most, whatever becomes of
 * its rows. A note changes no row's standing: what is decided about the row replaces it, and one
 * that cannot be written is dropped.
 */
final class Notes implements EnginePart {
  private static final long ROUND_NANOS = Duration.ofSeconds(5).toNanos();

  /** Trouble that is younger may be over before anybody reads of it. */
  private static final long YOUNG_NANOS = Duration.ofSeconds(5).toNanos();

  private static final long AGAIN_NANOS = Duration.ofMinutes(1).toNanos();

  /** Few enough for other changes to go into the same settlement. */
  private static final int MOST_PER_ROUND = 1_000;

  /** Keys whose last note is known: more than have one in a minute, unless many are crowded out. */
  private static final int MOST_KNOWN = 20 * MOST_PER_ROUND;

  private final EngineState state;
  private final KeyFlow flow;
  private final KeyTable keys;
  // When each key was noted, the oldest note first.
  private final Map<EventKey, Long> noted = new LinkedHashMap<>();
  private long nextRound = Long.MIN_VALUE;

  /** Why a row waits, since when, and when the cause lets it be tried. */
  private record Cause(String reason, String detail, long since, long until) {}

  Notes(EngineState state, KeyFlow flow, KeyTable keys) {
    this.state = state;
    this.flow = flow;
    this.keys = keys;
  }

  @Override
  public void advance() {
    if (!due()) {
      return;
    }
    nextRound = state.now + ROUND_NANOS;
    // Keys without a note come first, then the oldest note: with more keys than a minute takes,
    // each has its turn.
    int left = MOST_PER_ROUND;
    for (KeyQueue key : keys.atHand()) {
      if (left > 0 && !noted.containsKey(key.key) && note(key)) {
        left--;
      }
    }
    for (EventKey name : old()) {
      KeyQueue key = keys.find(name);
      if (key == null || key.head == null) {
        noted.remove(name);
      } else if (left > 0 && note(key)) {
        left--;
      }
    }
  }

  private boolean note(KeyQueue key) {
    FailedRow row = of(key, YOUNG_NANOS);
    if (row != null) {
      state.settle.noted(row, state.now);
    }
    return row != null;
  }

  /** Keys whose notes are older than a minute, the oldest first. */
  private List<EventKey> old() {
    List<EventKey> old = new ArrayList<>();
    for (Map.Entry<EventKey, Long> each : noted.entrySet()) {
      if (state.now - each.getValue() < AGAIN_NANOS) {
        break;
      }
      old.add(each.getKey());
    }
    return old;
  }

  @Override
  public long deadline() {
    return looks() ? Math.max(state.now, nextRound) : Long.MAX_VALUE;
  }

  private boolean due() {
    return looks() && (nextRound == Long.MIN_VALUE || state.now - nextRound >= 0);
  }

  /** Whether any row may wait for what is not recorded. */
  private boolean looks() {
    boolean trouble = !state.publisherUp || !flow.destinations.isEmpty() || flow.anyBacksOff();
    return trouble && state.session != null && !state.stopping;
  }

  /**
   * What there is to say of a key's first row when it goes back into the database, where nobody
   * knows it by name; null if nothing. The caller adds it once the row is held.
   */
  @Nullable FailedRow beforeHeld(KeyQueue key) {
    return of(key, 0);
  }

  private @Nullable FailedRow of(KeyQueue key, long age) {
    Long before = noted.get(key.key);
    boolean recent = before != null && state.now - before < AGAIN_NANOS;
    FailedRow row = recent ? null : first(key, age);
    if (row != null) {
      noted.remove(key.key);
      noted.put(key.key, state.now);
      if (noted.size() > MOST_KNOWN) {
        noted.remove(noted.keySet().iterator().next());
      }
    }
    return row;
  }

  private @Nullable FailedRow first(KeyQueue key, long age) {
    Entry head = key.head;
    if (head == null
        || head.unsettled > 0
        || head.row.replay()
        || isGivenUpByOperator(head)
        || head.state == Entry.State.CONFIRMED
        || key.parked()
        || !state.lanes.sends(key.lane)) {
      return null;
    }
    Cause cause = cause(head);
    if (cause == null || state.now - cause.since() < age) {
      return null;
    }
    long next = key.backingOff && key.timerDue - cause.until() > 0 ? key.timerDue : cause.until();
    long delay = Math.max(0, next - state.now) / 1_000_000L;
    Instant since = Instant.ofEpochSecond(state.databaseMicros(cause.since()) / 1_000_000L);
    return new FailedRow(
        head.row,
        RowState.RETRY,
        head.attempts,
        head.unknownOutcome,
        delay,
        cause.reason(),
        "since " + since + ", " + cause.detail(),
        head.name);
  }

  /**
   * It is parked until its copy is stored, and another owner must not take it for one that waits.
   */
  private static boolean isGivenUpByOperator(Entry head) {
    return head.burying && head.requestId != 0;
  }

  private @Nullable Cause cause(Entry head) {
    Breaker gate = flow.sender.gate(head);
    Confirmation.NotConfirmed last = head.unconfirmed;
    boolean failed = last != null && !(last instanceof Confirmation.Rejected);
    // A destination that comes and goes fails the row all the time.
    long own = failed ? head.unconfirmedSince : state.now;
    if (gate != null && gate.isPaused()) {
      return new Cause("paused", "by an operator: " + gate.name, gate.since(), state.now);
    }
    if (!state.publisherUp) {
      long since = earlier(own, state.publisherDownSince);
      return new Cause("broker-unavailable", "the broker does not answer", since, state.now);
    }
    if (gate != null && gate.isTripped()) {
      long since = earlier(own, gate.since());
      return new Cause(gate.reason(), gate.detail(), since, gate.reopensAt());
    }
    return last == null || !failed ? null : new Cause(last.reason(), last.detail(), own, state.now);
  }

  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }

  void clear() {
    noted.clear();
  }
}
