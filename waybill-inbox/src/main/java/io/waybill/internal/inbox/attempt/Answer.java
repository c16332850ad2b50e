package io.waybill.internal.inbox.attempt;

import io.waybill.store.DedupeResult;
import java.util.List;
import java.util.Map;

/** The result of a {@link Step}. */
public sealed interface Answer {
  /** Which variant it is. */
  Kind kind();

  /** The variants. */
  enum Kind {
    OK,
    DEDUPE_RESULTS,
    STARTS,
    HANDLED,
    THREW,
    STORE_FAILED,
    REFUSED
  }

  /** The step is done. */
  record Ok() implements Answer {
    @Override
    public Kind kind() {
      return Kind.OK;
    }
  }

  /**
   * The state of events in the tables.
   *
   * @param dedupeResults one for each
   */
  record DedupeResults(List<DedupeResult> dedupeResults) implements Answer {
    @Override
    public Kind kind() {
      return Kind.DEDUPE_RESULTS;
    }
  }

  /**
   * The number of starts of events that have no end.
   *
   * @param counts by id; events that are not there have none
   */
  record Starts(Map<String, Integer> counts) implements Answer {
    @Override
    public Kind kind() {
      return Kind.STARTS;
    }
  }

  /**
   * The handler returned.
   *
   * @param micros how long it took, microseconds
   * @param last whether no further handler is to be called in this transaction: the handlers have
   *     exceeded their time, or a statement has ended the transaction
   */
  record Handled(long micros, boolean last) implements Answer {
    @Override
    public Kind kind() {
      return Kind.HANDLED;
    }
  }

  /**
   * The handler failed.
   *
   * @param failure how
   */
  record Threw(Failure failure) implements Answer {
    @Override
    public Kind kind() {
      return Kind.THREW;
    }
  }

  /**
   * The database failed.
   *
   * @param reason one sentence for an operator
   * @param transientFailure whether trying again can help
   */
  record StoreFailed(String reason, boolean transientFailure) implements Answer {
    @Override
    public Kind kind() {
      return Kind.STORE_FAILED;
    }
  }

  /**
   * The database refused the values of this step, and would accept others.
   *
   * @param reason one sentence for an operator, without data
   */
  record Refused(String reason) implements Answer {
    @Override
    public Kind kind() {
      return Kind.REFUSED;
    }
  }
}
