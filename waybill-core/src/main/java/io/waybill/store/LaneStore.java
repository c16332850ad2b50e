package io.waybill.store;

import java.time.Duration;
import java.util.Set;

/**
 * Ownership of lanes: by lease, on the database's clock only, and by what the database itself knows
 * of sessions. For use by one thread. Every method throws {@link StoreException} when the database
 * does not answer in time or refuses, and {@link SessionLostException} when it is not where the
 * session joined.
 */
public interface LaneStore extends AutoCloseable {
  /**
   * Connects, and looks at sessions and lanes for no session, as {@link OutboxReader#warmUp} does
   * for the first reads. Changes nothing.
   *
   * @return whether another relay lives and stays: its session is locked, its lease has not ended,
   *     and it has not said that it will leave
   */
  boolean warmUp();

  /**
   * Starts a session. Where the server has locks, the session's is held from soon after until the
   * session leaves, on a separate connection: if that ends, other relays need not wait for the
   * lease.
   *
   * @param relay the relay's process, for people
   * @param lease how long the session lives without a renewal
   * @return the session, with a fence above all earlier ones
   */
  Session join(RelayProcess relay, Duration lease);

  /**
   * Starts a session of a relay of which no more than the name is known.
   *
   * @param relay name of the relay, for people
   * @param lease how long the session lives without a renewal
   * @return the session, with a fence above all earlier ones
   */
  default Session join(String relay, Duration lease) {
    return join(RelayProcess.named(relay), lease);
  }

  /**
   * Prolongs the session by the lease, counted from now on the database clock.
   *
   * @param session the session, with its confirmed renewals
   * @param lease how long it lives from now
   * @param report what the relay says of itself
   * @return false if the session was fenced, or the database has fewer renewals than it confirmed
   */
  boolean renew(Session session, Duration lease, RelayReport report);

  /**
   * Prolongs a session that is to stay, of a relay that has no failing destination.
   *
   * @param session the session, with its confirmed renewals
   * @param lease how long it lives from now
   * @return false if the session was fenced, or the database has fewer renewals than it confirmed
   */
  default boolean renew(Session session, Duration lease) {
    return renew(session, lease, RelayReport.WELL);
  }

  /**
   * Fences every session that has ended, frees its lanes, then reads the owners of all lanes. A
   * session has ended when its lease has, or when its lock was seen and has been free for half a
   * second. Sessions whose rows are locked are left for the next look: this never waits for locks.
   *
   * @param session the calling session
   * @return ownership after the fencing
   */
  LaneView view(Session session);

  /**
   * Acquires free lanes.
   *
   * @param session the new owner
   * @param lanes lanes wanted
   * @return the lanes won
   */
  Set<Integer> acquire(Session session, Set<Integer> lanes);

  /**
   * Releases lanes. Each of their rows must be settled or untouched by now.
   *
   * @param session the owner
   * @param lanes lanes to free
   */
  void release(Session session, Set<Integer> lanes);

  /**
   * The age of the oldest event of the whole outbox that could have been published by now. That
   * includes lanes without an owner and events behind parked ones. Parked, dead and delayed events
   * themselves do not count. Takes at most two seconds if the server can end a statement.
   *
   * @return age in milliseconds on the database clock, 0 if no event waits
   */
  long oldestUnpublishedMillis();

  /**
   * Counts the events of the whole outbox that do not flow. Takes at most two seconds if the server
   * can end a statement.
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
