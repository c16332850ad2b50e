package io.waybill.admin;

import io.waybill.store.OperatorRequest.Verb;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The operators' view of an outbox, and their requests. Changes of events are requests: the relay
 * that owns the event's lane carries them out, within its poll interval. For use by one thread.
 *
 * <p>A search of events looks at 20,000 rows at most, and says where the next one goes on. It looks
 * at no others where an index leads to the events: by their ids, parked, dead, of a group of
 * failures, and in many tables of a key. It looks at all rows of a table that has no index in their
 * order.
 *
 * <p>Every method throws {@link io.waybill.store.StoreException} when the database does not answer
 * in time or refuses.
 */
public interface Admin extends AutoCloseable {
  /**
   * Numbers for dashboards, from side tables and index edges; never counts the outbox.
   *
   * @return numbers
   */
  Counts counts();

  /**
   * Lists events in the order of their rows.
   *
   * @param filter which ones
   * @param after the next of the previous page, or the position of an event; null for the first
   *     page
   * @param limit most events to return, at least 1
   * @return events
   */
  EventPage find(EventFilter filter, @Nullable String after, int limit);

  /**
   * Lists the last events in the order of their rows.
   *
   * @param filter which ones
   * @param before the next of the previous page, or the position of an event; null for the first
   *     page
   * @param limit most events to return, at least 1
   * @return events, the last row first
   */
  EventPage latest(EventFilter filter, @Nullable String before, int limit);

  /**
   * Lists the events that block their keys, in the order of their rows: those that are parked, and
   * those that failed and wait for their next attempt. Several can be of one key.
   *
   * @param after position of the last event of the previous page, null for the first page
   * @param limit most events to return, at least 1
   * @return events
   */
  List<EventView> blocking(@Nullable String after, int limit);

  /**
   * Counts the events that a relay has set aside behind a key's first one.
   *
   * @param head the event that blocks the key
   * @param limit number at which to stop counting
   * @return number of events, at most the limit
   */
  long behind(EventView head, int limit);

  /**
   * Lists groups of failures: events that failed and wait for their next attempt, are parked, or
   * are dead, by type, destination and reason. Those that a program other than a relay has declared
   * dead are in no group.
   *
   * @param status status of the events; not {@link EventStatus#PUBLISHED}
   * @param after the last group of the previous page, as in {@link FailureGroup#group}; null for
   *     the first page
   * @param limit most groups to return, at least 1
   * @param counted number at which to stop counting a group's events
   * @return groups, in an order that means nothing
   */
  List<FailureGroup> failures(EventStatus status, @Nullable String after, int limit, int counted);

  /**
   * Shows one event.
   *
   * @param eventId the event
   * @return everything known about it, or empty if there is no such event
   */
  Optional<EventDetail> show(String eventId);

  /**
   * Counts the events that a request would concern: the dry run of {@link #request}.
   *
   * @param filter which ones
   * @param after the next of the previous count, null for the first one
   * @param limit number at which to stop counting
   * @return number of events, at most the limit
   */
  EventCount count(EventFilter filter, @Nullable String after, int limit);

  /**
   * Requests an action from the owners of the events' lanes, and records who asked and why. Events
   * that already wait for the same action are left out.
   *
   * @param verb the action
   * @param filter which events; must not be empty
   * @param limit most events
   * @param by who asks and why
   * @return number of requests made
   */
  int request(Verb verb, EventFilter filter, int limit, Instruction by);

  /**
   * Destinations that operators have paused or resumed.
   *
   * @return destinations by name
   */
  List<DestinationView> destinations();

  /**
   * Pauses or resumes a destination on all relays, and records who asked and why.
   *
   * @param destination its name, as in {@link io.waybill.message.Destination#name()}
   * @param paused whether it is to be paused
   * @param by who asks and why
   */
  void pause(String destination, boolean paused, Instruction by);

  /**
   * The running relays.
   *
   * @return sessions by fence
   */
  List<SessionView> sessions();

  /**
   * The lanes and their owners.
   *
   * @return lanes by number
   */
  List<LaneOwner> lanes();

  /**
   * Lists the operators' requests, latest first.
   *
   * @param beforeId id of the last entry of the previous page, {@link Long#MAX_VALUE} for the first
   * @param limit most entries to return, at least 1
   * @return entries
   */
  List<AuditEntry> audit(long beforeId, int limit);

  /**
   * Finds actions that operators have carried out.
   *
   * @param verb the action
   * @param destination its destination
   * @param eventIds ids of its events as {@link AuditNote#kept} has them; empty for any event,
   *     which reads all of the audit
   * @param notes recorded results to look for, at least one
   * @return entries that were carried out, in any order
   */
  List<AuditEntry> carriedOut(
      String verb, String destination, Set<String> eventIds, List<String> notes);

  /**
   * Records an action that an operator carried out without a relay.
   *
   * @param note the action
   * @param by who did it and why
   */
  void record(AuditNote note, Instruction by);

  /**
   * Removes dead events and the records about them, and records who did it and why. Events stay if
   * they are no longer dead or a request about them is open. Works without a relay and needs the
   * privilege to delete from the outbox.
   *
   * @param filter which ones; its status must be {@link EventStatus#DEAD}
   * @param limit most events
   * @param by who does it and why
   * @return number of events removed
   */
  int purge(EventFilter filter, int limit, Instruction by);

  /**
   * Removes all events, published or not, and the records about them, and records who did it and
   * why. Row numbers are not reset. Works in batches: after a failure, call it again.
   *
   * @param by who does it and why
   * @return number of events removed
   * @throws IllegalStateException if a relay is running, since it could be publishing the removed
   *     events
   */
  long empty(Instruction by);

  @Override
  void close();
}
