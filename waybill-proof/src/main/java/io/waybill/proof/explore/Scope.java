package io.waybill.proof.explore;

import io.waybill.policy.EngineSettings;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import io.waybill.store.Polling;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * How large a world is and what can go wrong in it.
 *
 * @param name for people
 * @param keys of the events, in the order of their rows
 * @param lanes number of lanes; a key's lane is its number modulo that
 * @param pipelined whether several sends of a key may be in flight, as on Kafka
 * @param buries what becomes of an event at its limit: dead, or parked
 * @param attemptLimit definite rejections that make an event give up
 * @param written whether the events are there at the start; else their transactions commit
 *     asynchronously or roll back at any time
 * @param slowAnswers whether time passes between the work of a call about sessions and lanes and
 *     its answer; for reads of events and settlements it always does
 * @param faults most faults of one history
 * @param kinds of faults
 * @param protocol Waybill's, or another one
 */
record Scope(
    String name,
    List<Integer> keys,
    int lanes,
    boolean pipelined,
    boolean buries,
    int attemptLimit,
    boolean written,
    boolean slowAnswers,
    int faults,
    Set<Action> kinds,
    Protocol protocol) {
  static final int RELAYS = 2;

  /** Longer than every interval and pause of the engine: whatever it waits for is due. */
  static final long TICK_NANOS = Duration.ofSeconds(6).toNanos();

  static final long LEASE_NANOS = Duration.ofSeconds(60).toNanos();

  /**
   * All but {@link Action#HAND_OVER} and {@link Action#END_SESSION}: where nothing is given up,
   * nobody asks when it is quiet, and it is what {@link Action#FREEZE} is.
   */
  static final Set<Action> ALL_FAULTS =
      EnumSet.of(
          Action.LOSE_CALL,
          Action.LOSE_ANSWER,
          Action.REFUSE,
          Action.TIME_OUT,
          Action.LOSE_CONFIRM,
          Action.CRASH,
          Action.EXPIRE,
          Action.FREEZE,
          Action.CRASH_DATABASE);

  EngineSettings settings() {
    return new EngineSettings(
        100,
        1 << 20,
        100,
        Duration.ZERO,
        Polling.fixedDelay(Duration.ofSeconds(1)).batch(2),
        Duration.ofNanos(LEASE_NANOS),
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        100,
        pipelined ? 2 : 1);
  }

  RetryPolicy retries() {
    return RetryPolicy.builder()
        .constant(Duration.ofMillis(100))
        .attemptLimit(attemptLimit)
        .build();
  }

  FailurePolicy policy() {
    return buries ? new FailurePolicy.Bury(null) : new FailurePolicy.Park();
  }

  /** Whether sessions have locks that others look at. */
  boolean locks() {
    return kinds.contains(Action.END_SESSION);
  }

  /**
   * How long a new owner is told to wait: short, so that few ticks pass, and so long that it looks
   * again before, though every fault is a look without an answer.
   */
  long quietMillis() {
    boolean looksFail =
        kinds.contains(Action.LOSE_CALL)
            || kinds.contains(Action.LOSE_ANSWER)
            || kinds.contains(Action.CRASH_DATABASE);
    return (looksFail ? faults + 1 : 1) * TICK_NANOS / 1_000_000;
  }

  Scope with(Protocol other) {
    return new Scope(
        name,
        keys,
        lanes,
        pipelined,
        buries,
        attemptLimit,
        written,
        slowAnswers,
        faults,
        kinds,
        other);
  }

  Scope faults(int most) {
    return new Scope(
        name,
        keys,
        lanes,
        pipelined,
        buries,
        attemptLimit,
        written,
        slowAnswers,
        most,
        kinds,
        protocol);
  }
}
