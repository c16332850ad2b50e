package io.waybill.internal.inbox;

import io.waybill.broker.Confirmation;
import io.waybill.internal.inbox.attempt.Outcome;
import java.util.List;
import java.util.Set;

/** An event in the world that an inbox's engine reacts to. */
public sealed interface InboxInput {
  /** Which variant it is. */
  Kind kind();

  /** The variants. */
  enum Kind {
    DELIVERED,
    REVOKED,
    ENDED,
    FETCHED,
    FETCH_FAILED,
    RELEASED,
    DEAD_LETTER_OUTCOME,
    SIGNAL
  }

  /**
   * Messages have arrived.
   *
   * @param messages in the order of their lanes
   */
  record Delivered(List<ReceivedMessage> messages) implements InboxInput {
    @Override
    public Kind kind() {
      return Kind.DELIVERED;
    }
  }

  /**
   * Lanes leave; answered by {@link InboxEffect.LanesQuiet}.
   *
   * @param number identifies the revocation
   * @param lanes the lanes
   * @param lost whether they have left already
   */
  record Revoked(long number, Set<String> lanes, boolean lost) implements InboxInput {
    @Override
    public Kind kind() {
      return Kind.REVOKED;
    }
  }

  /**
   * A piece of work has ended.
   *
   * @param workId id of the work
   * @param outcome its result
   * @param micros how long it took, microseconds
   */
  record Ended(long workId, Outcome outcome, long micros) implements InboxInput {
    @Override
    public Kind kind() {
      return Kind.ENDED;
    }
  }

  /**
   * Deferred events were fetched.
   *
   * @param events claimed by this inbox
   * @param limit number that was requested
   */
  record Fetched(List<DueMessage> events, int limit) implements InboxInput {
    @Override
    public Kind kind() {
      return Kind.FETCHED;
    }
  }

  /**
   * Deferred events could not be fetched.
   *
   * @param reason one sentence for an operator
   * @param transientFailure whether trying again can help
   */
  record FetchFailed(String reason, boolean transientFailure) implements InboxInput {
    @Override
    public Kind kind() {
      return Kind.FETCH_FAILED;
    }
  }

  /** Claims were released, or that failed and they will expire. */
  record Released() implements InboxInput {
    @Override
    public Kind kind() {
      return Kind.RELEASED;
    }
  }

  /**
   * The outcome of sending a dead letter.
   *
   * @param confirmation the outcome
   */
  record DeadLetterOutcome(Confirmation confirmation) implements InboxInput {
    @Override
    public Kind kind() {
      return Kind.DEAD_LETTER_OUTCOME;
    }
  }

  /** A signal without data. */
  enum Signal implements InboxInput {
    /** Time has passed. */
    TICK,
    /** Stop: the engine starts nothing new. */
    STOP;

    @Override
    public Kind kind() {
      return Kind.SIGNAL;
    }
  }
}
