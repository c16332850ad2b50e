package io.waybill.relay;

import io.waybill.observe.RelayEvent.BreakerState;
import java.util.ArrayDeque;

/**
 * The circuit breaker of one destination. Unknown outcomes open it; after a pause one message at a
 * time probes it; a definite answer, good or bad, closes it.
 */
final class DestinationState {
  private static final long FIRST_PAUSE_NANOS = 200_000_000L;

  /**
   * With it begins the time after which events flow again when a broker is back: clients add
   * theirs.
   */
  static final long LONGEST_PAUSE_MILLIS = 2_000;

  private static final long LONGEST_PAUSE_NANOS = LONGEST_PAUSE_MILLIS * 1_000_000L;

  final String name;
  final ArrayDeque<KeyQueue> waiting = new ArrayDeque<>();
  private boolean paused;
  private boolean tripped;
  private long pauseNanos = FIRST_PAUSE_NANOS;
  private long reopensAt;
  private long answersAtFailure;
  private boolean nobodyAnswers;
  private int inFlight;

  DestinationState(String name) {
    this.name = name;
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
    return state == BreakerState.CLOSED || (state == BreakerState.PROBING && inFlight == 0);
  }

  void sent() {
    inFlight++;
  }

  /** The broker gave a definite answer. Returns whether that closed the breaker. */
  boolean answered() {
    inFlight--;
    boolean closed = tripped;
    tripped = false;
    nobodyAnswers = false;
    pauseNanos = FIRST_PAUSE_NANOS;
    return closed;
  }

  /**
   * No answer. Returns whether that opened the breaker.
   *
   * @param answers definite answers of all destinations so far
   */
  boolean unanswered(long now, long answers) {
    inFlight--;
    if (tripped && now - reopensAt < 0) {
      return false;
    }
    boolean opened = !tripped;
    nobodyAnswers = tripped && answers == answersAtFailure;
    answersAtFailure = answers;
    if (tripped) {
      pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    }
    tripped = true;
    reopensAt = now + pauseNanos;
    return opened;
  }

  /** An outage: a probe failed, and since the failure before it no destination has answered. */
  boolean nobodyAnswers() {
    return nobodyAnswers;
  }

  boolean setPaused(boolean paused) {
    boolean changed = this.paused != paused;
    this.paused = paused;
    return changed;
  }

  void forgetInFlight() {
    inFlight = 0;
    waiting.clear();
  }

  /** When the breaker lets a probe through, or Long.MAX_VALUE if it is not waiting for that. */
  long deadline(long now) {
    return tripped && !paused && now - reopensAt < 0 ? reopensAt : Long.MAX_VALUE;
  }
}
