package io.waybill.internal.inbox;

import java.util.Map;
import java.util.Set;

/** A consequence of a look at the database, as {@link HistoryEngine} decides. */
public sealed interface HistoryStep {
  /**
   * Withholds lanes from the engine until they have been revoked, and makes the engine forget their
   * deliveries. The step is done when none of their handlers is running any more.
   *
   * @param lanes lanes that are read again
   * @param inEngine lanes among them that have reached the engine, and lanes that are about to
   *     leave
   */
  record Forget(Set<String> lanes, Set<String> inEngine) implements HistoryStep {}

  /**
   * Reads lanes again and commits these positions.
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
   * Records where lanes began that the server does not know.
   *
   * @param positions by lane
   */
  record Note(Map<String, Long> positions) implements HistoryStep {}

  /**
   * Hands waiting deliveries of lanes to the engine.
   *
   * @param began by lane, position of the first message that waits
   */
  record Release(Map<String, Long> began) implements HistoryStep {}
}
