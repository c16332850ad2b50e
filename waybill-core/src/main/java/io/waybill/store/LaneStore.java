package io.waybill.store;

import java.time.Duration;
import java.util.Set;

/**
 * Ownership of lanes by lease, on the database's clock only. Used by one thread. Every method
 * throws {@link StoreException} when the database does not answer in time or refuses, and {@link
 * SessionLostException} when it does not stand where the session joined.
 */
public interface LaneStore extends AutoCloseable {
  /**
   * Starts a session.
   *
   * @param relay name of the relay, for people
   * @param lease how long the session lives without a renewal
   * @return the session, with a fence above all earlier ones
   */
  Session join(String relay, Duration lease);

  /**
   * Prolongs the session by the lease, counted from now on the database clock.
   *
   * @param session the session, with the renewals that were answered
   * @param lease how long it lives from now
   * @return false if the session was fenced, or the database has fewer renewals than it answered
   */
  boolean renew(Session session, Duration lease);

  /**
   * Fences every session whose lease is over, and which nobody has locked, and frees its lanes,
   * then looks who owns what. It waits for nobody's locks.
   *
   * @param session the session that looks
   * @return ownership after the fencing
   */
  LaneView view(Session session);

  /**
   * Takes free lanes.
   *
   * @param session the new owner
   * @param lanes lanes wanted
   * @return the lanes won
   */
  Set<Integer> acquire(Session session, Set<Integer> lanes);

  /**
   * Gives lanes back. Every row of theirs is settled or untouched by now.
   *
   * @param session the owner
   * @param lanes lanes to free
   */
  void release(Session session, Set<Integer> lanes);

  /**
   * Age of the oldest event of the whole outbox that could have been published by now, also of
   * lanes that nobody owns and behind parked events. Parked, dead and delayed events do not count
   * themselves. Takes two seconds at most where the server can end a statement.
   *
   * @return age in milliseconds on the database clock, 0 if no event waits
   */
  long oldestUnpublishedMillis();

  /**
   * Counts the events of the whole outbox that do not flow. Takes two seconds at most where the
   * server can end a statement.
   *
   * @param most number at which to stop counting
   * @return numbers, each at most {@code most}
   */
  Tally tally(int most);

  /**
   * Ends the session and frees its lanes.
   *
   * @param session the session
   */
  void leave(Session session);

  @Override
  void close();
}
