package io.waybill.store;

import io.waybill.message.EventKey;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Reads committed rows that wait to be published. Used by one thread; every method throws {@link
 * StoreException} when the database does not answer in time or refuses, and may then be called
 * again.
 *
 * <p>For each assignment of a lane the reader returns every committed row that is not settled
 * (published, parked, dead, waiting for a retry, or held) exactly once, including rows committed
 * late with a low id, and rows of one key in the order of their ids as far as they became visible
 * together. Delayed rows are returned when they are due. A returned row is known to survive a crash
 * of the database.
 *
 * <p>Rows are returned to a session that is alive: what the reader returns never depends on what a
 * later owner of the lanes has written. A reader whose session has been fenced finds nothing.
 */
public interface OutboxReader extends AutoCloseable {
  /**
   * Adds lanes and returns what is blocked in them: keys with a failed head and keys with held
   * rows, as many as one page has. The rest comes from {@link #read}, and only when all of it has
   * come do the other rows of these lanes, and requests for them: no row is returned of a key that
   * is not known to be blocked. Lanes of another session are read no longer: what was known then
   * may be of another history.
   *
   * @param session their owner
   * @param lanes lanes now owned
   * @return the first blocked and held keys of those lanes; of a key with many held rows a part
   */
  Backlog assign(Session session, Set<Integer> lanes);

  /**
   * Says how many renewals of the session have been answered by now: a database that lacks one of
   * them was set back. Nothing happens if the lanes are another session's.
   *
   * @param session the owner of the lanes, as it is now
   */
  void renewed(Session session);

  /**
   * Removes lanes: no later read returns rows of theirs.
   *
   * @param lanes lanes given up
   */
  void revoke(Set<Integer> lanes);

  /**
   * Reads on.
   *
   * @param maxRows most rows to return, at least 1
   * @param maxBytes payload bytes after which to stop; one row is returned however large it is
   * @return rows in order, none if there are none
   */
  ReadResult read(int maxRows, long maxBytes);

  /**
   * Reads held rows of keys that are no longer blocked, in row order. A held row is returned by
   * every call until a settlement publishes it or gives it a failure state.
   *
   * @param keys keys of assigned lanes, none of whose rows is in flight or waiting to be settled
   * @param maxRows most rows to return, at least 1
   * @param maxBytes payload bytes after which to stop; one row is returned however large it is
   * @return rows in order
   */
  ReadResult readHeld(Collection<EventKey> keys, int maxRows, long maxBytes);

  /**
   * Looks again at rows that were returned or reported before: people may have changed, marked or
   * removed them. Claims nothing, and changes nothing of what {@link #read} returns.
   *
   * @param rows which rows, at least one
   * @param maxBytes payload bytes after which to stop; one row is returned however large it is
   * @return how they stand now; rows that did not fit are left out
   */
  List<RowLook> look(List<RowRef> rows, long maxBytes);

  /**
   * Reads requests of operators for the assigned lanes.
   *
   * @param maxRequests most requests to return
   * @return requests, oldest first; each is returned until it is settled: by every call, or in turn
   *     if there are more than a call returns
   */
  List<OperatorRequest> requests(int maxRequests);

  /**
   * Destinations that an operator has paused.
   *
   * @return destination names
   */
  Set<String> pausedDestinations();

  @Override
  void close();
}
