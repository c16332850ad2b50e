package io.waybill.store;

import java.sql.Connection;
import java.util.List;
import java.util.Map;

/**
 * The transaction that claim and handler share. For use by one thread at a time, except {@link
 * #abort}. Every method throws {@link StoreException}, which is a {@link RefusedDataException} if
 * the database would accept other values; after that only {@link #rollback}, {@link #abort} and
 * {@link #close} may be called.
 */
public interface InboxTransaction extends AutoCloseable {
  /**
   * The connection of this transaction, for the handler. It refuses {@code commit}, {@code
   * rollback}, {@code close} and {@code setAutoCommit}, which are not the handler's business. Call
   * this before the first handler and only for handlers: from then on, the store watches what
   * handlers do to the transaction.
   *
   * @return the connection
   */
  Connection connection();

  /**
   * Checks events from the broker. The answer for each, in order, is {@link DedupeResult.Seen} if
   * it has been processed, after waiting for a concurrent transaction that processes a copy.
   * Otherwise it is {@link DedupeResult.Behind} if the event or another one of its key is deferred.
   * Otherwise it is {@link DedupeResult.Fresh}: the event counts as processed from the commit on,
   * or from {@link #handled} on if a statement of a handler commits. An id that repeats in the list
   * is seen the second time.
   *
   * @param dedupeKeys the events, at least one
   * @return one answer for each
   */
  List<DedupeResult> markSeen(List<DedupeKey> dedupeKeys);

  /**
   * Records that the handlers of events have returned. Until then the events do not count as
   * processed, even if a statement of a handler has committed the records: the next check finds
   * {@link DedupeResult.Fresh}. If the store does not see the handlers' statements, that may hold
   * until the commit.
   *
   * @param dedupeKeys the events
   * @return whether a statement of their handlers has ended the transaction: no other event may be
   *     handled in it
   */
  boolean handled(List<DedupeKey> dedupeKeys);

  /**
   * Reverts the events that {@link #markSeen(List)} answered with {@link DedupeResult.Fresh} in
   * this transaction: they do not count as processed. A copy of such an event still waits for the
   * end of the transaction.
   *
   * @param dedupeKeys the events, at least one
   */
  void takeBack(List<DedupeKey> dedupeKeys);

  /**
   * Checks a deferred event that the caller has claimed, and locks its row until the end of the
   * transaction. The answer is {@link DedupeResult.Lost} if another owner has claimed the event or
   * it is no longer deferred; otherwise {@link DedupeResult.Seen} or {@link DedupeResult.Fresh},
   * like {@link #markSeen}.
   *
   * @param event as returned by {@link InboxStore#due}
   * @param owner id of the owner that claimed it
   * @return the answer
   */
  DedupeResult markSeen(DeferredEvent event, String owner);

  /**
   * Checks a dead event from the broker, whose dead letter is confirmed. Like {@link
   * #markSeen(List)}, but whether or not its key waits: the event counts as processed from the
   * commit on in any case.
   *
   * @param event the event
   * @return {@link DedupeResult.Seen} or {@link DedupeResult.Fresh}
   */
  DedupeResult noteDead(DedupeKey event);

  /**
   * Defers an event, behind all deferred events of its key. Does nothing if an event of that id is
   * deferred already.
   *
   * @param event the event; its delay counts from now
   * @return whether it was added
   */
  boolean defer(DeferredEvent event);

  /**
   * Updates attempts, delay, failure and dead reason of a deferred event, and releases the claim.
   * The event keeps its place in the order of its key.
   *
   * @param event the event with its new values
   * @param owner id of the owner that claimed it
   * @return false if another owner has claimed the event or it is no longer deferred: nothing was
   *     changed
   */
  boolean deferAgain(DeferredEvent event, String owner);

  /**
   * Removes a finished deferred event. The next event of its key is due immediately if its delay is
   * over.
   *
   * @param event as returned by {@link InboxStore#due}
   */
  void forget(DeferredEvent event);

  /**
   * Counts how often events were {@link #started} without having {@link #ended}.
   *
   * @param eventIds the events, at least one, all different
   * @return a number for each event with such starts, by its id
   */
  Map<String, Integer> openStarts(List<String> eventIds);

  /**
   * Records that events that may have killed the process before are about to be handled.
   *
   * @param eventIds the events, at least one, all different
   */
  void started(List<String> eventIds);

  /**
   * Records that one start of each has ended with the process alive, whatever the result. Does
   * nothing for events without an open start.
   *
   * @param eventIds the events, at least one, all different
   */
  void ended(List<String> eventIds);

  /**
   * Removes the records of {@link #started}, since the events are finished.
   *
   * @param eventIds the events, at least one, all different
   */
  void forgetStarts(List<String> eventIds);

  /**
   * Commits. If it throws a {@link StoreException}, the outcome is unknown.
   *
   * @throws RefusedCommitException if the transaction has been rolled back instead, because of the
   *     handler's actions
   */
  void commit();

  /** Rolls back. Does nothing on a connection that is lost. Never throws. */
  void rollback();

  /**
   * Ends the transaction from another thread by cutting its connection: running statements fail,
   * and the database rolls back. Never throws.
   */
  void abort();

  /** Rolls back uncommitted changes and returns the connection. Never throws. Idempotent. */
  @Override
  void close();
}
