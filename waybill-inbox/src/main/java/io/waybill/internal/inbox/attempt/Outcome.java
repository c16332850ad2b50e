package io.waybill.internal.inbox.attempt;

import java.time.Duration;
import java.util.List;

/** The result of a piece of {@link Work}. */
public sealed interface Outcome {
  /** Which variant it is. */
  Outcome.Kind kind();

  /** The variants. */
  enum Kind {
    DONE,
    FAILED,
    STORE_DOWN,
    REFUSED
  }

  /**
   * The transaction is committed, or there was nothing to commit.
   *
   * @param fates the result of each event of the work
   */
  record Done(List<Fate> fates) implements Outcome {
    @Override
    public Outcome.Kind kind() {
      return Outcome.Kind.DONE;
    }
  }

  /**
   * The handler failed and nothing is committed.
   *
   * @param failure the failure
   * @param open whether a start is on record without its end
   */
  record Failed(Failure failure, boolean open) implements Outcome {
    @Override
    public Outcome.Kind kind() {
      return Outcome.Kind.FAILED;
    }
  }

  /**
   * The database failed; whether anything is committed is unknown. The same work can be done again.
   *
   * @param reason one sentence for an operator
   * @param transientFailure whether trying again can help without anything being fixed
   * @param open whether a start is on record without its end
   */
  record StoreDown(String reason, boolean transientFailure, boolean open) implements Outcome {
    @Override
    public Outcome.Kind kind() {
      return Outcome.Kind.STORE_DOWN;
    }
  }

  /**
   * The database refused the values of a statement, and nothing is committed. The cause is one of
   * these events; others may succeed. The same work can be done again.
   *
   * @param reason one sentence for an operator, without data
   * @param open whether a start is on record without its end
   */
  record Refused(String reason, boolean open) implements Outcome {
    @Override
    public Outcome.Kind kind() {
      return Outcome.Kind.REFUSED;
    }
  }

  /** The result for one event. */
  sealed interface Fate {
    /** Which variant it is. */
    Fate.Kind kind();

    /** The variants. */
    enum Kind {
      HANDLED,
      UNHANDLED,
      MUST_BE_ALONE,
      DUPLICATE,
      DEFERRED_BEHIND,
      DEFERRED,
      BURIED,
      LOST,
      TO_BURY
    }

    /**
     * Its handler's transaction is committed.
     *
     * @param micros how long the handler took, microseconds; a batch's is divided by its events
     */
    record Handled(long micros) implements Fate {
      @Override
      public Fate.Kind kind() {
        return Fate.Kind.HANDLED;
      }
    }

    /**
     * Its handler was not called, since earlier handlers used up the transaction's time; nothing is
     * recorded.
     */
    record Unhandled() implements Fate {
      @Override
      public Fate.Kind kind() {
        return Fate.Kind.UNHANDLED;
      }
    }

    /**
     * Its handler was not called, since the event was in progress when a process died: it may be
     * handled only while nothing else is.
     *
     * @param starts how often it was started without having ended
     */
    record MustBeAlone(int starts) implements Fate {
      @Override
      public Fate.Kind kind() {
        return Fate.Kind.MUST_BE_ALONE;
      }
    }

    /**
     * It has been processed before.
     *
     * @param age time since then
     */
    record Duplicate(Duration age) implements Fate {
      @Override
      public Fate.Kind kind() {
        return Fate.Kind.DUPLICATE;
      }
    }

    /** It was put behind a deferred event of its key. */
    record DeferredBehind() implements Fate {
      @Override
      public Fate.Kind kind() {
        return Fate.Kind.DEFERRED_BEHIND;
      }
    }

    /** It was put into the table of deferred events, or stays there for a later try. */
    record Deferred() implements Fate {
      @Override
      public Fate.Kind kind() {
        return Fate.Kind.DEFERRED;
      }
    }

    /** It is recorded as processed, after its dead letter was confirmed. */
    record Buried() implements Fate {
      @Override
      public Fate.Kind kind() {
        return Fate.Kind.BURIED;
      }
    }

    /** Another owner has claimed the deferred event. */
    record Lost() implements Fate {
      @Override
      public Fate.Kind kind() {
        return Fate.Kind.LOST;
      }
    }

    /**
     * It is to be dead-lettered; nothing is recorded yet.
     *
     * @param reason short machine-readable class
     * @param detail one sentence for an operator
     */
    record ToBury(String reason, String detail) implements Fate {
      @Override
      public Fate.Kind kind() {
        return Fate.Kind.TO_BURY;
      }
    }
  }
}
