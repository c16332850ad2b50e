package io.waybill.inbox;

import io.waybill.store.DeferredEvent;
import java.util.List;

/** What a worker is asked to do: one transaction, in the steps of an {@link HandlingTransaction}. */
public sealed interface Work {
  /**
   * Identifies the piece of work within its engine.
   *
   * @return a number that is not used again
   */
  long id();

  /**
   * Handle deliveries: one, a batch of one handler's, or several that are handled singly.
   *
   * @param id identifies the work
   * @param tasks the events
   * @param mark how their starts are noted
   */
  record Handle(long id, List<Task> tasks, Mark mark) implements Work {}

  /**
   * Handle a deferred event.
   *
   * @param id identifies the work
   * @param task the event
   * @param mark how its starts are noted
   */
  record Retry(long id, Task task, Mark mark) implements Work {}

  /**
   * Put a delivery into the table of deferred events.
   *
   * @param id identifies the work
   * @param event what to write
   * @param mark how its starts were noted
   */
  record Defer(long id, DeferredEvent event, Mark mark) implements Work {}

  /**
   * Leave a deferred event for another time.
   *
   * @param id identifies the work
   * @param event what to write
   */
  record Postpone(long id, DeferredEvent event) implements Work {}

  /**
   * Note an event as processed whose dead letter is confirmed.
   *
   * @param id identifies the work
   * @param task the event
   * @param mark how its starts were noted
   */
  record Bury(long id, Task task, Mark mark) implements Work {}

  /**
   * Which of the events may have killed the process before, and what is noted of that.
   *
   * @param suspects ids of those whose starts are noted
   * @param open whether a start of theirs is on record whose end is not, though the process lives
   * @param alone whether nothing else is handled meanwhile; only then do earlier starts let one
   *     begin
   * @param limit starts alone without end after which one is given up
   */
  record Mark(List<String> suspects, boolean open, boolean alone, int limit) {
    /** Of events that are no suspects. */
    public static final Mark NONE = new Mark(List.of(), false, false, 1);
  }
}
