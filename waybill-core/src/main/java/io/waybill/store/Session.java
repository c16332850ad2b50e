package io.waybill.store;

/**
 * One relay's membership in an outbox, from joining to leaving or to the end of its lease.
 *
 * @param fence grows with every session of the outbox; every settling statement carries it
 * @param relay name of the relay, for people
 * @param history the server's history in which it joined, which every connection of the relay must
 *     lead to
 * @param joinedMicros when it joined, microseconds since the epoch on the database clock: a history
 *     that continues from an earlier point gives the same fence to another session
 * @param renewals renewals that the database has confirmed; it never holds fewer, unless it was set
 *     back
 */
public record Session(long fence, String relay, String history, long joinedMicros, long renewals) {
  /** Stands for no session: no statement finds it. */
  public static final Session NONE = new Session(0, "");

  /**
   * Creates a session that has just joined, in an unnamed history.
   *
   * @param fence grows with every session
   * @param relay name of the relay, for people
   */
  public Session(long fence, String relay) {
    this(fence, relay, "", 0, 0);
  }

  /**
   * The session after one more confirmed renewal.
   *
   * @return the same membership
   */
  public Session renewed() {
    return new Session(fence, relay, history, joinedMicros, renewals + 1);
  }

  /**
   * Whether another session is the same membership, earlier or later.
   *
   * @param other another session
   * @return true if they differ at most in their renewals
   */
  public boolean is(Session other) {
    return fence == other.fence
        && joinedMicros == other.joinedMicros
        && relay.equals(other.relay)
        && history.equals(other.history);
  }
}
