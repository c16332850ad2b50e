package io.waybill.internal.relay;

import io.waybill.broker.Confirmation;
import io.waybill.observe.RelayEvent.BreakerState;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The circuit breaker of one destination, there only while the destination is in trouble or paused.
 * Unknown outcomes and refusals open it; after a pause single messages probe it. After silence the
 * first answer closes it. After refusals each answer lets one more message out at a time, until
 * nothing waits: a queue that is full takes some, and is not sent thousands that it refuses.
 */
final class Breaker {
  /**
   * With it begins the time after which events flow again when a broker is back: clients add
   * theirs.
   */
  static final long LONGEST_PAUSE_MILLIS = 2_000;

  private static final long MILLI = 1_000_000L;
  private static final long FIRST_PAUSE_NANOS = 200 * MILLI;

  /** Of a destination that is silent while others answer: each probe costs a whole time limit. */
  private static final long LONGEST_LONELY_PAUSE_NANOS = 5_000 * MILLI;

  /** One that answers is to be found among many that do not. */
  private static final int COMMON_WINDOW = 20;

  /** So many at a time are no probes any more. */
  private static final int FULL_WINDOW = 1_024;

  // The destination, or the exchange or topic of those that have it in common.
  final String name;
  // In the order in which they came.
  final Set<KeyQueue> waiting = new LinkedHashSet<>();
  // Many destinations have it in common.
  final boolean common;
  // Keys that rest, and its number among those that such keys wait for.
  int resting;
  int number;
  final RestingKeys.Cursor sweep = new RestingKeys.Cursor();
  // Stands in line to let keys go.
  boolean queued;
  private boolean paused;
  private boolean tripped;
  private boolean refuses;
  private String reason = "";
  private String detail = "";
  private long since;
  private long pauseNanos = FIRST_PAUSE_NANOS;
  private long reopensAt;
  private long refusesSince;
  private final int firstWindow;
  private int window;
  private int probes;
  private long answersAtFailure;
  private boolean nobodyAnswers;

  Breaker(String name, boolean common) {
    this.name = name;
    this.common = common;
    this.firstWindow = common ? COMMON_WINDOW : 1;
    this.window = firstWindow;
  }

  BreakerState state(long now) {
    if (paused) {
      return BreakerState.PAUSED;
    }
    if (!tripped) {
      return BreakerState.CLOSED;
    }
    return now - reopensAt >= 0 ? BreakerState.PROBING : BreakerState.OPEN;
  }

  boolean permits(long now) {
    BreakerState state = state(now);
    return state == BreakerState.CLOSED || (state == BreakerState.PROBING && probes < window);
  }

  String reason() {
    return reason;
  }

  /** One sentence about the failure that opened it last. */
  String detail() {
    return detail;
  }

  /** When its destination's trouble began, or the pause of one that had none. */
  long since() {
    return since;
  }

  boolean isTripped() {
    return tripped;
  }

  boolean isPaused() {
    return paused;
  }

  void setPaused(boolean paused, long now) {
    this.paused = paused;
    if (paused && !tripped) {
      since = now;
    }
  }

  void await(KeyQueue key) {
    key.waitFor(this);
    waiting.add(key);
  }

  /** The key waits no longer. */
  void release(KeyQueue key) {
    key.waitNoMore();
    waiting.remove(key);
  }

  boolean anyWaits() {
    return !waiting.isEmpty() || resting > 0;
  }

  @Nullable KeyQueue next() {
    Iterator<KeyQueue> each = waiting.iterator();
    if (!each.hasNext()) {
      return null;
    }
    KeyQueue key = each.next();
    release(key);
    return key;
  }

  void sent() {
    probes++;
  }

  /** A message that went through this breaker came home. */
  void home() {
    probes--;
  }

  /**
   * The broker gave a definite answer that is no refusal.
   *
   * @param probe whether to a message that went through this breaker
   * @return whether that closed it
   */
  boolean answered(boolean probe) {
    if (!tripped) {
      return false;
    }
    if (refuses) {
      if (!probe) {
        // It was sent before, and says nothing of now.
        return false;
      }
      window++;
      if (anyWaits() && window < FULL_WINDOW) {
        return false;
      }
    }
    close();
    return true;
  }

  void close() {
    tripped = false;
    refuses = false;
    nobodyAnswers = false;
    window = firstWindow;
    pauseNanos = FIRST_PAUSE_NANOS;
  }

  /**
   * No answer, or a refusal by the destination.
   *
   * @param probe whether to a message that went through this breaker
   * @param answers definite answers of all destinations so far
   * @return whether people see something new: it opened, or for another reason than before
   */
  boolean failed(Confirmation.NotConfirmed failure, boolean probe, long now, long answers) {
    if (tripped && (!probe || now - reopensAt < 0)) {
      // It was sent before, or beside the probe that failed.
      return false;
    }
    boolean refusal = failure instanceof Confirmation.Refused;
    boolean news = !tripped || !reason.equals(failure.reason());
    boolean othersAnswer = answers != answersAtFailure;
    nobodyAnswers = tripped && !refusal && !othersAnswer;
    answersAtFailure = answers;
    if (refusal && (!refuses || window > firstWindow)) {
      refusesSince = now;
    }
    grow(tripped && window == firstWindow, !refusal && othersAnswer);
    if (!tripped) {
      since = now;
    }
    reason = failure.reason();
    detail = failure.detail();
    refuses = refusal;
    tripped = true;
    window = firstWindow;
    reopensAt = now + pauseNanos;
    return news;
  }

  private void grow(boolean again, boolean lonely) {
    long longest = lonely ? LONGEST_LONELY_PAUSE_NANOS : LONGEST_PAUSE_MILLIS * MILLI;
    pauseNanos = again ? Math.min(2 * pauseNanos, longest) : FIRST_PAUSE_NANOS;
  }

  /** An outage: a probe failed, and since the failure before it no destination has answered. */
  boolean nobodyAnswers() {
    return nobodyAnswers;
  }

  /** For how many nanoseconds it has refused everything. */
  long refusesFor(long now) {
    return tripped && refuses ? now - refusesSince : 0;
  }

  /** The next probe need not wait. */
  void probeNow(long now) {
    reopensAt = now;
  }

  long reopensAt() {
    return reopensAt;
  }

  long pauseMillis(long now) {
    return tripped ? Math.max(0, reopensAt - now) / MILLI : 0;
  }

  /** Whether nothing would be forgotten with it. */
  boolean isIdle() {
    return !anyWaits() && probes == 0 && !paused;
  }

  void forgetKeys() {
    probes = 0;
    resting = 0;
    number = 0;
    waiting.clear();
  }
}
