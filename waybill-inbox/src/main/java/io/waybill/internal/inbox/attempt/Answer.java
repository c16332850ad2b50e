package io.waybill.internal.inbox.attempt;

import io.waybill.store.Sight;
import java.util.List;
import java.util.Map;

/** The result of a {@link Step}. */
public sealed interface Answer {
  /** The step is done. */
  record Ok() implements Answer {}

  /**
   * The state of events in the tables.
   *
   * @param sights one for each
   */
  record Sights(List<Sight> sights) implements Answer {}

  /**
   * The number of starts of events that have no end.
   *
   * @param counts by id; events that are not there have none
   */
  record Starts(Map<String, Integer> counts) implements Answer {}

  /**
   * The handler returned.
   *
   * @param micros how long it took, microseconds
   * @param last whether no further handler is to be called in this transaction: the handlers have
   *     exceeded their time, or a statement has ended the transaction
   */
  record Handled(long micros, boolean last) implements Answer {}

  /**
   * The handler failed.
   *
   * @param failure how
   */
  record Threw(Failure failure) implements Answer {}

  /**
   * The database failed.
   *
   * @param reason one sentence for an operator
   * @param transientFailure whether trying again can help
   */
  record StoreFailed(String reason, boolean transientFailure) implements Answer {}

  /**
   * The database refused the values of this step, and would accept others.
   *
   * @param reason one sentence for an operator, without data
   */
  record Refused(String reason) implements Answer {}
}
