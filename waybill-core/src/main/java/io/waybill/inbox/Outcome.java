package io.waybill.inbox;

import java.time.Duration;
import java.util.List;

/** What came of a piece of {@link Work}. */
public sealed interface Outcome {
  /**
   * The transaction is committed, or there was nothing to commit.
   *
   * @param fates one for each event of the work
   */
  record Done(List<Fate> fates) implements Outcome {}

  /**
   * The handler failed and nothing is committed.
   *
   * @param failure how
   * @param open whether a start is on record whose end is not
   */
  record Failed(Failure failure, boolean open) implements Outcome {}

  /**
   * The database failed; whether anything is committed is unknown. The same work can be done again.
   *
   * @param reason one sentence for an operator
   * @param transientFailure whether trying again can help without anybody mending anything
   * @param open whether a start is on record whose end is not
   */
  record StoreDown(String reason, boolean transientFailure, boolean open) implements Outcome {}

  /**
   * The database refused the values of a statement, and nothing is committed: it is one of the
   * events that it does not take, whatever it says to others. The same work can be done again.
   *
   * @param reason one sentence for an operator, without data
   * @param open whether a start is on record whose end is not
   */
  record Refused(String reason, boolean open) implements Outcome {}

  /** What became of one event. */
  sealed interface Fate {
    /**
     * Its handler's transaction is committed.
     *
     * @param micros how long the handler took, microseconds; a batch's is divided by its events
     */
    record Handled(long micros) implements Fate {}

    /**
     * Its handler was not called, since those before it took the transaction's time; nothing is
     * noted.
     */
    record Unhandled() implements Fate {}

    /**
     * Its handler was not called, since it was under way when a process died: it may be handled
     * only while nothing else is.
     *
     * @param starts how often it was started without having ended
     */
    record MustBeAlone(int starts) implements Fate {}

    /**
     * It has been processed before.
     *
     * @param age time since then
     */
    record Duplicate(Duration age) implements Fate {}

    /** It was put behind a deferred event of its key. */
    record WentBehind() implements Fate {}

    /** It was put into the table of deferred events, or left there for another time. */
    record PutOff() implements Fate {}

    /** It is noted as processed, after its dead letter was confirmed. */
    record Buried() implements Fate {}

    /** A deferred event that has gone to somebody else. */
    record Lost() implements Fate {}

    /**
     * It is to be dead-lettered; nothing is noted yet.
     *
     * @param reason short machine-readable class
     * @param detail one sentence for an operator
     */
    record ToBury(String reason, String detail) implements Fate {}
  }
}
