package io.waybill.admin;

import io.waybill.store.OperatorRequest.Verb;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What operators see and ask for. Changes of events are requests: the relay that owns the event's
 * lane carries them out, within its poll interval. Used by one thread; every method throws {@link
 * io.waybill.store.StoreException} when the database does not answer in time or refuses.
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
   * @param after position of the last event of the previous page, null for the first page
   * @param limit most events to return, at least 1
   * @return events
   */
  List<EventView> find(EventFilter filter, @Nullable String after, int limit);

  /**
   * The last events in the order of their rows.
   *
   * @param filter which ones
   * @param limit most events to return, at least 1
   * @return events, the last row first
   */
  List<EventView> latest(EventFilter filter, int limit);

  /**
   * Shows one event.
   *
   * @param eventId the event
   * @return everything known about it, or empty if there is no such event
   */
  Optional<EventDetail> show(String eventId);

  /**
   * Counts events that a request would be about, the dry run of {@link #request}.
   *
   * @param filter which ones
   * @param limit number at which to stop counting
   * @return number of events, at most the limit
   */
  long count(EventFilter filter, int limit);

  /**
   * Asks the owners of the events' lanes to do something, and records who asked and why. Events
   * that already wait for the same verb are left out.
   *
   * @param verb what to do
   * @param filter with which events; must not be empty
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
   * Living relays.
   *
   * @return sessions by fence
   */
  List<SessionView> sessions();

  /**
   * Who owns which lane.
   *
   * @return lanes by number
   */
  List<LaneOwner> lanes();

  /**
   * What operators asked for, latest first.
   *
   * @param beforeId id of the last entry of the previous page, {@link Long#MAX_VALUE} for the first
   * @param limit most entries to return, at least 1
   * @return entries
   */
  List<AuditEntry> audit(long beforeId, int limit);

  /**
   * What operators have done, of what is asked for.
   *
   * @param verb what
   * @param destination where
   * @param notes what was done, as it was recorded, at least one
   * @return entries that were carried out, in any order
   */
  List<AuditEntry> carriedOut(String verb, String destination, List<String> notes);

  /**
   * Records what an operator has done without a relay.
   *
   * @param note what was done
   * @param by who did it and why
   */
  void record(AuditNote note, Instruction by);

  /**
   * Removes dead events and what is known about them, and records who did it and why. What is no
   * longer dead, or somebody asks something about, stays. Works without a relay and needs the
   * privilege to delete from the outbox.
   *
   * @param filter which ones; its status must be {@link EventStatus#DEAD}
   * @param limit most events
   * @param by who does it and why
   * @return number of events removed
   */
  int purge(EventFilter filter, int limit, Instruction by);

  /**
   * Removes all events, published or not, and what is known about them, and records who did it and
   * why. Row numbers go on. Works in pieces: after a failure, do it again.
   *
   * @param by who does it and why
   * @return number of events removed
   * @throws IllegalStateException if a relay lives: it could be publishing what is removed
   */
  long empty(Instruction by);

  @Override
  void close();
}
