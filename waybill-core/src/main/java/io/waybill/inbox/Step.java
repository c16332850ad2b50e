package io.waybill.inbox;

import io.waybill.store.DeferredEvent;
import io.waybill.store.Sighting;
import java.util.List;

/** What an {@link HandlingTransaction} wants done next. */
public sealed interface Step {
  /** Begin a transaction. */
  record Begin() implements Step {}

  /**
   * Look whether these are seen for the first time; answered by {@link Answer.Sights}.
   *
   * @param sightings the events
   */
  record Look(List<Sighting> sightings) implements Step {}

  /**
   * Look whether this one is still claimed and seen for the first time; answered by {@link
   * Answer.Sights} with one.
   *
   * @param event the event
   */
  record LookAgain(DeferredEvent event) implements Step {}

  /**
   * Note one that is given up as seen, whether or not its key waits; answered by {@link
   * Answer.Sights} with one.
   *
   * @param sighting the event
   */
  record NoteDead(Sighting sighting) implements Step {}

  /**
   * See how often these were started without having ended; answered by {@link Answer.Starts}.
   *
   * @param eventIds the events
   */
  record LookAtStarts(List<String> eventIds) implements Step {}

  /**
   * Note a start of each.
   *
   * @param eventIds the events
   */
  record Started(List<String> eventIds) implements Step {}

  /**
   * Note that a start of each has ended.
   *
   * @param eventIds the events
   */
  record Ended(List<String> eventIds) implements Step {}

  /**
   * Remove the notes of starts.
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
   * Take back that events were seen for the first time: they are not handled in this transaction.
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
   * Write a deferred event anew.
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
   * @param outcome what came of it
   */
  record End(Outcome outcome) implements Step {}
}
