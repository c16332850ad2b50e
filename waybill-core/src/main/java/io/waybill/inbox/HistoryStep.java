package io.waybill.inbox;

import java.util.Map;
import java.util.Set;

/** What follows from a look at the database, as {@link HistoryEngine} decides. */
public sealed interface HistoryStep {
  /**
   * Nothing more of lanes reaches the engine until they were revoked, and it forgets what it has.
   * Done when no handler runs any more of those in the engine.
   *
   * @param lanes those that are read again
   * @param inEngine those among them that have reached the engine, and those that are about to
   *     leave
   */
  record Forget(Set<String> lanes, Set<String> inEngine) implements HistoryStep {}

  /**
   * Reads lanes again and makes that their committed position.
   *
   * @param positions by lane
   */
  record SeekBack(Map<String, Long> positions) implements HistoryStep {}

  /**
   * Works on a server from now on.
   *
   * @param server the server that was found
   */
  record Stand(String server) implements HistoryStep {}

  /**
   * Notes where lanes began of which the server knows nothing.
   *
   * @param positions by lane
   */
  record Note(Map<String, Long> positions) implements HistoryStep {}

  /**
   * The engine may have what waits of lanes.
   *
   * @param began by lane, position of the first message that waits
   */
  record Release(Map<String, Long> began) implements HistoryStep {}
}
