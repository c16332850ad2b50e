package io.waybill.store;

import java.util.List;
import java.util.Set;

/**
 * The owners of lanes, as one look at the database shows them.
 *
 * @param alive whether the session still exists; false means that it was fenced
 * @param mine lanes that the session owns
 * @param sessions number of live sessions, without others that have said that they will leave
 * @param free lanes without an owner
 * @param lanes number of lanes of the outbox
 * @param quietMillis time for which former owners of lanes of the session can still have messages
 *     on their way, in milliseconds; 0 if none can
 * @param takenOver relays that this look found dead
 */
public record LaneView(
    boolean alive,
    Set<Integer> mine,
    int sessions,
    Set<Integer> free,
    int lanes,
    long quietMillis,
    List<TakeOver> takenOver) {
  /**
   * A view of lanes whose former owners have nothing on its way.
   *
   * @param alive whether the session still exists
   * @param mine lanes that the session owns
   * @param sessions number of live sessions, without others that have said that they will leave
   * @param free lanes without an owner
   * @param lanes number of lanes of the outbox
   */
  public LaneView(boolean alive, Set<Integer> mine, int sessions, Set<Integer> free, int lanes) {
    this(alive, mine, sessions, free, lanes, 0, List.of());
  }
}
