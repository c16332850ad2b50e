package io.waybill.store;

import java.sql.Connection;
import java.util.List;
import java.util.Map;

/**
 * The transaction that claim and handler share. Used by one thread at a time, but for {@link
 * #abort}. Every method throws {@link StoreException}, which is a {@link RefusedDataException} when
 * the database would take other values; after that only {@link #rollback}, {@link #abort} and
 * {@link #close} may be called.
 */
public interface InboxTransaction extends AutoCloseable {
  /**
   * The connection on which everything here happens, for the handler. Its {@code commit}, {@code
   * rollback}, {@code close} and {@code setAutoCommit} are not the handler's business and are
   * refused. Asked for before the first handler is called and not by others: what handlers do to
   * the transaction is watched from then on.
   *
   * @return the connection
   */
  Connection connection();

  /**
   * Takes events that came from the broker. For each, in order: {@link Sight.Seen} if it has been
   * processed, waiting for a concurrent transaction that processes a copy; else {@link
   * Sight.Behind} if an event of its key is deferred, or it is itself; else {@link Sight.Fresh},
   * and it counts as processed from the commit on, or from {@link #handled} on if a statement of a
   * handler commits. An id that repeats in the list is seen the second time.
   *
   * @param sightings the events, at least one
   * @return one answer for each
   */
  List<Sight> sight(List<Sighting> sightings);

  /**
   * Tells that the handlers of events have returned. Until then they do not count as processed,
   * should a statement of a handler have committed the notes by itself: the next look at them finds
   * {@link Sight.Fresh}. Where the store does not see what handlers run, that may hold until the
   * commit.
   *
   * @param sightings the events
   * @return whether a statement of theirs has ended the transaction: no other event is to be
   *     handled in it
   */
  boolean handled(List<Sighting> sightings);

  /**
   * Takes back what {@link #sight(List)} answered with {@link Sight.Fresh} in this transaction: the
   * events do not count as processed. A copy of one still waits for the end of the transaction.
   *
   * @param sightings the events, at least one
   */
  void takeBack(List<Sighting> sightings);

  /**
   * Takes a deferred event whose claim the caller holds, and locks its row until the end of the
   * transaction: {@link Sight.Lost} if the claim has gone to somebody else or the event is no
   * longer deferred; else {@link Sight.Seen} or {@link Sight.Fresh} as {@link #sight} does.
   *
   * @param event as returned by {@link InboxStore#due}
   * @param owner who claimed it
   * @return the answer
   */
  Sight sight(DeferredEvent event, String owner);

  /**
   * Takes an event from the broker that is given up, its dead letter confirmed: as {@link
   * #sight(List)} does, but whether or not its key waits, for it counts as processed from the
   * commit on in any case.
   *
   * @param event the event
   * @return {@link Sight.Seen} or {@link Sight.Fresh}
   */
  Sight noteDead(Sighting event);

  /**
   * Puts an event off, behind all deferred events of its key. Does nothing if an event of that id
   * is deferred already.
   *
   * @param event the event; its delay counts from now
   * @return whether it was put there
   */
  boolean defer(DeferredEvent event);

  /**
   * Writes attempts, delay, failure and dead reason of a deferred event anew, and gives up the
   * claim. Its place in the order of its key stays.
   *
   * @param event the event as it is to be
   * @param owner who claimed it
   * @return false if the claim has gone to somebody else or the event is no longer deferred:
   *     nothing was changed
   */
  boolean postpone(DeferredEvent event, String owner);

  /**
   * Removes a deferred event: it is done with. The next of its key is due at once if its delay is
   * over.
   *
   * @param event as returned by {@link InboxStore#due}
   */
  void forget(DeferredEvent event);

  /**
   * Sees how often events were {@link #started} without having {@link #ended}.
   *
   * @param eventIds the events, at least one, all different
   * @return a number for each that has such starts, by its id
   */
  Map<String, Integer> openStarts(List<String> eventIds);

  /**
   * Notes that events are about to be handled that may have killed the process before.
   *
   * @param eventIds the events, at least one, all different
   */
  void started(List<String> eventIds);

  /**
   * Notes that one start of each has ended with the process alive, whatever came of it. Does
   * nothing for those that have none without an end.
   *
   * @param eventIds the events, at least one, all different
   */
  void ended(List<String> eventIds);

  /**
   * Removes the notes of {@link #started}: the events are done with.
   *
   * @param eventIds the events, at least one, all different
   */
  void forgetStarts(List<String> eventIds);

  /**
   * Commits. When it throws a {@link StoreException}, nobody knows whether it happened.
   *
   * @throws RefusedCommitException if it has been rolled back instead, because of what the handler
   *     did
   */
  void commit();

  /** Rolls back. Does nothing on a connection that is lost. Never throws. */
  void rollback();

  /**
   * Ends the transaction from another thread by cutting its connection: what runs on it fails, the
   * database rolls back. Never throws.
   */
  void abort();

  /** Rolls back what was not committed and gives the connection back. Never throws. Idempotent. */
  @Override
  void close();
}
