package io.waybill.store;

/**
 * A relay has been found dead: its session is fenced, and its lanes are free.
 *
 * @param fence fence of its session
 * @param relay its name
 * @param lanes number of lanes that it owned
 * @param cause how it was found dead
 * @param silentMillis time since it was last seen alive, in milliseconds
 */
public record TakeOver(long fence, String relay, int lanes, Cause cause, long silentMillis) {
  /** How a relay was found dead. */
  public enum Cause {
    /** The database ended its session: the process or its connection is gone. */
    SESSION_ENDED,
    /** It did not renew its lease in time: only time could tell. */
    LEASE_ENDED
  }
}
