package io.waybill.internal.inbox.attempt;

import io.waybill.store.DedupeKey;
import io.waybill.store.DeferredEvent;
import java.util.List;

/** The next action of an {@link HandlingTransaction}. */
public sealed interface Step {
  /** Which variant it is. */
  Kind kind();

  /** The variants. */
  enum Kind {
    BEGIN,
    LOOK,
    LOOK_AGAIN,
    NOTE_DEAD,
    LOOK_AT_STARTS,
    STARTED,
    ENDED,
    FORGET_STARTS,
    HANDLE,
    TAKE_BACK,
    DEFER,
    DEFER_AGAIN,
    FORGET,
    COMMIT,
    ROLLBACK,
    END
  }

  /** Begin a transaction. */
  record Begin() implements Step {
    @Override
    public Kind kind() {
      return Kind.BEGIN;
    }
  }

  /**
   * Check whether events are seen for the first time; answered by {@link Answer.DedupeResults}.
   *
   * @param dedupeKeys the events
   */
  record Look(List<DedupeKey> dedupeKeys) implements Step {
    @Override
    public Kind kind() {
      return Kind.LOOK;
    }
  }

  /**
   * Check whether an event is still claimed and seen for the first time; answered by {@link
   * Answer.DedupeResults} with one entry.
   *
   * @param event the event
   */
  record LookAgain(DeferredEvent event) implements Step {
    @Override
    public Kind kind() {
      return Kind.LOOK_AGAIN;
    }
  }

  /**
   * Record a dead event as seen, whether or not its key waits; answered by {@link
   * Answer.DedupeResults} with one entry.
   *
   * @param dedupeKey the event
   */
  record NoteDead(DedupeKey dedupeKey) implements Step {
    @Override
    public Kind kind() {
      return Kind.NOTE_DEAD;
    }
  }

  /**
   * Count the starts of events that have no end; answered by {@link Answer.Starts}.
   *
   * @param eventIds the events
   */
  record LookAtStarts(List<String> eventIds) implements Step {
    @Override
    public Kind kind() {
      return Kind.LOOK_AT_STARTS;
    }
  }

  /**
   * Record a start of each event.
   *
   * @param eventIds the events
   */
  record Started(List<String> eventIds) implements Step {
    @Override
    public Kind kind() {
      return Kind.STARTED;
    }
  }

  /**
   * Record that a start of each event has ended.
   *
   * @param eventIds the events
   */
  record Ended(List<String> eventIds) implements Step {
    @Override
    public Kind kind() {
      return Kind.ENDED;
    }
  }

  /**
   * Remove the records of starts.
   *
   * @param eventIds the events
   */
  record ForgetStarts(List<String> eventIds) implements Step {
    @Override
    public Kind kind() {
      return Kind.FORGET_STARTS;
    }
  }

  /**
   * Call the handler; answered by {@link Answer.Handled} or {@link Answer.Threw}.
   *
   * @param tasks the events of one call
   */
  record Handle(List<Task> tasks) implements Step {
    @Override
    public Kind kind() {
      return Kind.HANDLE;
    }
  }

  /**
   * Undo that events were seen for the first time, since they are not handled in this transaction.
   *
   * @param dedupeKeys the events
   */
  record TakeBack(List<DedupeKey> dedupeKeys) implements Step {
    @Override
    public Kind kind() {
      return Kind.TAKE_BACK;
    }
  }

  /**
   * Write a deferred event.
   *
   * @param event the event
   */
  record Defer(DeferredEvent event) implements Step {
    @Override
    public Kind kind() {
      return Kind.DEFER;
    }
  }

  /**
   * Update a deferred event.
   *
   * @param event the event
   */
  record DeferAgain(DeferredEvent event) implements Step {
    @Override
    public Kind kind() {
      return Kind.DEFER_AGAIN;
    }
  }

  /**
   * Remove a deferred event.
   *
   * @param event the event
   */
  record Forget(DeferredEvent event) implements Step {
    @Override
    public Kind kind() {
      return Kind.FORGET;
    }
  }

  /** Commit the transaction and end it. */
  record Commit() implements Step {
    @Override
    public Kind kind() {
      return Kind.COMMIT;
    }
  }

  /** Roll the transaction back and end it, if there is one. */
  record Rollback() implements Step {
    @Override
    public Kind kind() {
      return Kind.ROLLBACK;
    }
  }

  /**
   * Nothing more to do.
   *
   * @param outcome the result
   */
  record End(Outcome outcome) implements Step {
    @Override
    public Kind kind() {
      return Kind.END;
    }
  }
}
