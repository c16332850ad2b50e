package io.waybill.internal.inbox.attempt;

import io.waybill.store.DeferredEvent;
import java.util.List;

/** A worker's task: one transaction, in the steps of an {@link HandlingTransaction}. */
public sealed interface Work {
  /** Which variant it is. */
  Kind kind();

  /** The variants. */
  enum Kind {
    HANDLE,
    RETRY,
    DEFER,
    DEFER_AGAIN,
    BURY
  }

  /**
   * Identifies the piece of work within its engine.
   *
   * @return a number that is not used again
   */
  long id();

  /**
   * The events whose handlers are called.
   *
   * @return none for work that calls no handler
   */
  default List<Task> handled() {
    return switch (kind()) {
      case HANDLE -> ((Handle) this).tasks();
      case RETRY -> List.of(((Retry) this).task());
      case DEFER, DEFER_AGAIN, BURY -> List.of();
    };
  }

  /**
   * How the starts of {@link #handled()} are recorded.
   *
   * @return {@link Mark#NONE} for work that calls no handler
   */
  default Mark marked() {
    return switch (kind()) {
      case HANDLE -> ((Handle) this).mark();
      case RETRY -> ((Retry) this).mark();
      case DEFER, DEFER_AGAIN, BURY -> Mark.NONE;
    };
  }

  /**
   * Handle deliveries: one, a batch of one handler's, or several that are handled singly.
   *
   * @param id identifies the work
   * @param tasks the events
   * @param mark how their starts are recorded
   */
  record Handle(long id, List<Task> tasks, Mark mark) implements Work {
    @Override
    public Kind kind() {
      return Kind.HANDLE;
    }
  }

  /**
   * Handle a deferred event.
   *
   * @param id identifies the work
   * @param task the event
   * @param mark how its starts are recorded
   */
  record Retry(long id, Task task, Mark mark) implements Work {
    @Override
    public Kind kind() {
      return Kind.RETRY;
    }
  }

  /**
   * Put a delivery into the table of deferred events.
   *
   * @param id identifies the work
   * @param event the event to write
   * @param mark how its starts were recorded
   */
  record Defer(long id, DeferredEvent event, Mark mark) implements Work {
    @Override
    public Kind kind() {
      return Kind.DEFER;
    }
  }

  /**
   * Leave a deferred event for a later try.
   *
   * @param id identifies the work
   * @param event the event to write
   */
  record DeferAgain(long id, DeferredEvent event) implements Work {
    @Override
    public Kind kind() {
      return Kind.DEFER_AGAIN;
    }
  }

  /**
   * Record an event as processed, since its dead letter is confirmed.
   *
   * @param id identifies the work
   * @param task the event
   * @param mark how its starts were recorded
   */
  record Bury(long id, Task task, Mark mark) implements Work {
    @Override
    public Kind kind() {
      return Kind.BURY;
    }
  }

  /**
   * The events that may have killed the process before, and the records of their starts.
   *
   * @param suspects ids of the events whose starts are recorded
   * @param open whether one of their starts is on record without its end, although the process is
   *     alive
   * @param alone whether nothing else is handled meanwhile; only then may an event with earlier
   *     starts begin
   * @param limit number of starts alone without end after which an event is dead-lettered
   */
  record Mark(List<String> suspects, boolean open, boolean alone, int limit) {
    /** The mark of events that are no suspects. */
    public static final Mark NONE = new Mark(List.of(), false, false, 1);
  }
}
