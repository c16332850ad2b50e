package io.waybill.internal.inbox;

import java.util.Map;
import java.util.Set;

/** A consequence of a look at the database, as {@link HistoryEngine} decides. */
public sealed interface HistoryStep {
  /** Which variant it is. */
  Kind kind();

  /** The variants. */
  enum Kind {
    FORGET,
    SEEK_BACK,
    STAND,
    NOTE,
    RELEASE
  }

  /**
   * Withholds lanes from the engine until they have been revoked, and makes the engine forget their
   * deliveries. The step is done when none of their handlers is running any more.
   *
   * @param lanes lanes that are read again
   * @param inEngine lanes among them that have reached the engine, and lanes that are about to
   *     leave
   */
  record Forget(Set<String> lanes, Set<String> inEngine) implements HistoryStep {
    @Override
    public Kind kind() {
      return Kind.FORGET;
    }
  }

  /**
   * Reads lanes again and commits these positions.
   *
   * @param positions by lane
   */
  record SeekBack(Map<String, Long> positions) implements HistoryStep {
    @Override
    public Kind kind() {
      return Kind.SEEK_BACK;
    }
  }

  /**
   * Works on a server from now on.
   *
   * @param server the server that was found
   */
  record Stand(String server) implements HistoryStep {
    @Override
    public Kind kind() {
      return Kind.STAND;
    }
  }

  /**
   * Records where lanes began that the server does not know.
   *
   * @param positions by lane
   */
  record Note(Map<String, Long> positions) implements HistoryStep {
    @Override
    public Kind kind() {
      return Kind.NOTE;
    }
  }

  /**
   * Hands waiting deliveries of lanes to the engine.
   *
   * @param began by lane, position of the first message that waits
   */
  record Release(Map<String, Long> began) implements HistoryStep {
    @Override
    public Kind kind() {
      return Kind.RELEASE;
    }
  }
}
