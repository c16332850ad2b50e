package io.waybill.inbox;

import io.waybill.broker.Reach;
import io.waybill.store.Standing;
import io.waybill.store.Standing.Place;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * From where lanes have to be read again because the database may lack what was acknowledged of
 * them. What was committed before a note that it has, it has as well: transactions are lost from
 * the end. Without I/O; not thread-safe.
 */
final class Floors {
  // How the last try to go back there ended.
  private final Map<String, Tried> tried = new HashMap<>();

  /**
   * A lane was read again.
   *
   * @param place where the database said it was
   * @param first the first message that came
   */
  private record Tried(Place place, long first) {}

  /**
   * Lanes that this process has read.
   *
   * @param began where each began
   * @param noted what was last noted of each, and answered
   * @param reach how far the broker has delivered
   * @param before the server on which the inbox stood
   * @param found what the database has now
   */
  static Map<String, Long> ofKnown(
      Map<String, Long> began,
      Map<String, Long> noted,
      Map<String, Reach> reach,
      String before,
      Standing found) {
    Map<String, Long> floors = new HashMap<>();
    boolean elsewhere = !found.server().equals(before);
    began.forEach(
        (lane, first) -> {
          Place place = found.places().get(lane);
          long floor = place == null ? first : place.position();
          // Under the same name: it was set back.
          boolean behind = noted.containsKey(lane) && (place == null || floor < noted.get(lane));
          if ((elsewhere || behind) && isPassed(floor, reach.get(lane))) {
            floors.put(lane, floor);
          }
        });
    return floors;
  }

  /** Whether something after it was delivered: it may have been committed and acknowledged. */
  private static boolean isPassed(long floor, @Nullable Reach reach) {
    return reach != null && floor < reach.next();
  }

  /**
   * Lanes of which something has just come for the first time: an earlier owner may have
   * acknowledged what came before on another server.
   *
   * @param began position of the first message of each
   * @param reach how far the broker has delivered
   * @param found what the database has now
   */
  Map<String, Long> ofWaiting(Map<String, Long> began, Map<String, Reach> reach, Standing found) {
    Map<String, Long> floors = new HashMap<>();
    began.forEach(
        (lane, first) -> {
          Place place = found.places().get(lane);
          if (place == null
              || place.server().equals(found.server())
              || place.position() >= first
              || !reach.containsKey(lane)) {
            tried.remove(lane);
            return;
          }
          Tried now = new Tried(place, first);
          // The same message after it was read again: between the two there is none any more.
          if (now.equals(tried.put(lane, now))) {
            tried.remove(lane);
          } else {
            floors.put(lane, place.position());
          }
        });
    return floors;
  }
}
