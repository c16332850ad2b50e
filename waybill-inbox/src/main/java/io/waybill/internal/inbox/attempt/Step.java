package io.waybill.internal.inbox.attempt;

import io.waybill.store.DeferredEvent;
import io.waybill.store.Sighting;
import java.util.List;

/** The next action of an {@link HandlingTransaction}. */
public sealed interface Step {
  /** Begin a transaction. */
  record Begin() implements Step {}

  /**
   * Check whether events are seen for the first time; answered by {@link Answer.Sights}.
   *
   * @param sightings the events
   */
  record Look(List<Sighting> sightings) implements Step {}

  /**
   * Check whether an event is still claimed and seen for the first time; answered by {@link
   * Answer.Sights} with one entry.
   *
   * @param event the event
   */
  record LookAgain(DeferredEvent event) implements Step {}

  /**
   * Record a dead event as seen, whether or not its key waits; answered by {@link Answer.Sights}
   * with one entry.
   *
   * @param sighting the event
   */
  record NoteDead(Sighting sighting) implements Step {}

  /**
   * Count the starts of events that have no end; answered by {@link Answer.Starts}.
   *
   * @param eventIds the events
   */
  record LookAtStarts(List<String> eventIds) implements Step {}

  /**
   * Record a start of each event.
   *
   * @param eventIds the events
   */
  record Started(List<String> eventIds) implements Step {}

  /**
   * Record that a start of each event has ended.
   *
   * @param eventIds the events
   */
  record Ended(List<String> eventIds) implements Step {}

  /**
   * Remove the records of starts.
   *
   * @param eventIds the events
   */
  record ForgetStarts(List<String> eventIds) implements Step {}

  /**
   * Call the handler; answered by {@link Answer.Handled} or {@link Answer.Threw}.
   *
   * @param tasks the events of one call
   */
  record Handle(List<Task> tasks) implements Step {}

  /**
   * Undo that events were seen for the first time, since they are not handled in this transaction.
   *
   * @param sightings the events
   */
  record TakeBack(List<Sighting> sightings) implements Step {}

  /**
   * Write a deferred event.
   *
   * @param event the event
   */
  record Defer(DeferredEvent event) implements Step {}

  /**
   * Update a deferred event.
   *
   * @param event the event
   */
  record Postpone(DeferredEvent event) implements Step {}

  /**
   * Remove a deferred event.
   *
   * @param event the event
   */
  record Forget(DeferredEvent event) implements Step {}

  /** Commit the transaction and end it. */
  record Commit() implements Step {}

  /** Roll the transaction back and end it, if there is one. */
  record Rollback() implements Step {}

  /**
   * Nothing more to do.
   *
   * @param outcome the result
   */
  record End(Outcome outcome) implements Step {}
}
