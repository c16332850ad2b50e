package io.waybill.inbox;

import io.waybill.broker.Confirmation;
import java.util.List;
import java.util.Set;

/** What happens to an inbox, as its engine is told. */
public sealed interface InboxInput {
  /**
   * Messages have come.
   *
   * @param messages in the order of their lanes
   */
  record Delivered(List<Incoming> messages) implements InboxInput {}

  /**
   * Lanes leave; answered by {@link InboxEffect.LanesQuiet}.
   *
   * @param number identifies the revocation
   * @param lanes the lanes
   * @param lost whether they are gone already
   */
  record Revoked(long number, Set<String> lanes, boolean lost) implements InboxInput {}

  /**
   * A piece of work has ended.
   *
   * @param workId which one
   * @param outcome what came of it
   * @param micros how long it took, microseconds
   */
  record Ended(long workId, Outcome outcome, long micros) implements InboxInput {}

  /**
   * Deferred events were fetched.
   *
   * @param events claimed by this inbox
   * @param limit how many were asked for
   */
  record Fetched(List<Due> events, int limit) implements InboxInput {}

  /**
   * Deferred events could not be fetched.
   *
   * @param reason one sentence for an operator
   * @param transientFailure whether trying again can help
   */
  record FetchFailed(String reason, boolean transientFailure) implements InboxInput {}

  /** Claims were given up, or that failed and they will run out. */
  record Released() implements InboxInput {}

  /**
   * What became of a dead letter.
   *
   * @param confirmation its outcome
   */
  record Letter(Confirmation confirmation) implements InboxInput {}

  /** Something without data. */
  enum Signal implements InboxInput {
    /** Time has passed. */
    TICK,
    /** Stop: nothing new is started. */
    STOP
  }
}
