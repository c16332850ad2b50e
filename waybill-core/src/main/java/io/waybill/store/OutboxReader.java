package io.waybill.store;

import io.waybill.message.EventKey;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Reads committed rows that wait to be published. For use by one thread. Every method throws {@link
 * StoreException} when the database does not answer in time or refuses, and may then be called
 * again.
 *
 * <p>For each assignment of a lane, the reader returns every committed row exactly once unless it
 * is settled: published, parked, dead, waiting for a retry, or held. That includes rows committed
 * late with a low id. Rows of one key are in the order of their ids, as far as they became visible
 * together. Delayed rows are returned when they are due. A returned row is known to survive a crash
 * of the database.
 *
 * <p>The reader returns rows only to a session that is alive: its results never depend on the
 * writes of a later owner of the lanes. A reader whose session has been fenced finds nothing.
 */
public interface OutboxReader extends AutoCloseable {
  /**
   * Runs what a relay runs first, for no session. A process is slow when it runs code for the first
   * time: a relay calls this before it joins, and no key waits for that. Changes and claims
   * nothing, and does not affect the results of other methods.
   *
   * @param maxRows most rows to return, at least 1
   * @param maxBytes payload bytes after which to stop; one row is returned however large it is
   * @return some rows of the table, of any owner
   */
  List<OutboxRow> warmUp(int maxRows, long maxBytes);

  /**
   * Adds lanes and returns the first page of their blocked keys: keys with a failed head and keys
   * with held rows. {@link #read} returns the rest. Only after all of it does the reader return the
   * other rows of these lanes, and requests for them: it returns no row of a blocked key that is
   * not yet known to be blocked. It stops reading the lanes of any other session, since that state
   * may belong to a different history.
   *
   * @param session their owner
   * @param lanes lanes now owned
   * @return the first blocked and held keys of those lanes; for a key with many held rows, a part
   *     of them
   */
  Backlog assign(Session session, Set<Integer> lanes);

  /**
   * Updates the number of confirmed renewals of the session: a database that lacks one of them was
   * set back. Does nothing if the lanes belong to another session.
   *
   * @param session the owner of the lanes, in its current state
   */
  void renewed(Session session);

  /**
   * Removes lanes: later reads return none of their rows.
   *
   * @param lanes lanes no longer owned
   */
  void revoke(Set<Integer> lanes);

  /**
   * Reads further rows.
   *
   * @param maxRows most rows to return, at least 1
   * @param maxBytes payload bytes after which to stop; one row is returned however large it is
   * @return rows in order, none if there are none
   */
  ReadResult read(int maxRows, long maxBytes);

  /**
   * Reads held rows of keys that are no longer blocked, in row order. Every call returns a held row
   * until a settlement publishes it or gives it a failure state.
   *
   * @param keys keys of assigned lanes, none of whose rows is in flight or waiting to be settled
   * @param maxRows most rows to return, at least 1
   * @param maxBytes payload bytes after which to stop; one row is returned however large it is
   * @return rows in order
   */
  ReadResult readHeld(Collection<EventKey> keys, int maxRows, long maxBytes);

  /**
   * Reads rows again that were returned or reported before: people may have changed, marked or
   * removed them. Claims nothing, and does not affect the results of {@link #read}.
   *
   * @param rows which rows, at least one
   * @param maxBytes payload bytes after which to stop; one row is returned however large it is
   * @return their current state; rows that did not fit are left out
   */
  List<RowLook> look(List<RowRef> rows, long maxBytes);

  /**
   * Reads requests of operators for the assigned lanes.
   *
   * @param maxRequests most requests to return
   * @return requests, oldest first; each is returned until it is settled, by every call, or in turn
   *     if there are more than one call returns
   */
  List<OperatorRequest> requests(int maxRequests);

  /**
   * Reads the destinations that an operator has paused.
   *
   * @return destination names
   */
  Set<String> pausedDestinations();

  @Override
  void close();
}
