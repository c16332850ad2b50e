package io.waybill.relay;

import io.waybill.observe.RelayEvent.BreakerState;
import java.util.ArrayDeque;

/**
 * The circuit breaker of one destination. Unknown outcomes and refusals of the destination open it;
 * after a pause one message at a time probes it; any other definite answer closes it.
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
  private boolean refuses;
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
  boolean answered(long now) {
    inFlight--;
    if (refuses && state(now) == BreakerState.OPEN) {
      // Sent before the refusal. It says nothing of now, and without the pause a queue that is
      // full would be sent to without end.
      return false;
    }
    boolean closed = tripped;
    tripped = false;
    refuses = false;
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
    nobodyAnswers = tripped && answers == answersAtFailure;
    answersAtFailure = answers;
    return trip(now);
  }

  /** The destination refuses. Returns whether that opened the breaker. */
  boolean refused(long now) {
    inFlight--;
    if (tripped && now - reopensAt < 0) {
      return false;
    }
    nobodyAnswers = false;
    refuses = true;
    return trip(now);
  }

  /** The send did not leave the process: that says nothing of the destination. */
  void notSent() {
    inFlight--;
  }

  private boolean trip(long now) {
    boolean opened = !tripped;
    if (tripped) {
      pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    }
    tripped = true;
    reopensAt = now + pauseNanos;
    return opened;
  }

  /** Milliseconds until the next probe may go out. */
  long pauseMillis(long now) {
    return tripped ? Math.max(0, reopensAt - now) / 1_000_000L : 0;
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
