package io.waybill.inbox;

import io.waybill.store.Sight;
import java.util.List;
import java.util.Map;

/** What came of a {@link Step}. */
public sealed interface Answer {
  /** It is done. */
  record Ok() implements Answer {}

  /**
   * What the tables know of events.
   *
   * @param sights one for each
   */
  record Sights(List<Sight> sights) implements Answer {}

  /**
   * How often events were started without having ended.
   *
   * @param counts by id; those that are not there have none
   */
  record Starts(Map<String, Integer> counts) implements Answer {}

  /**
   * The handler returned.
   *
   * @param micros how long it took, microseconds
   * @param last whether no further one is to be called in this transaction: the handlers have taken
   *     more time than they may, or a statement has ended it
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
   * The database refused the values of this step, and would take others.
   *
   * @param reason one sentence for an operator, without data
   */
  record Refused(String reason) implements Answer {}
}
