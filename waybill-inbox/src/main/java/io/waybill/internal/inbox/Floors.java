package io.waybill.internal.inbox;

import io.waybill.broker.Reach;
import io.waybill.store.RecordedProgress;
import io.waybill.store.RecordedProgress.Place;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * From where lanes have to be read again because the database may lack what was acknowledged of
 * them. What was committed before a note that it has, it has as well: transactions are lost from
 * the end. Without I/O.
 */
final class Floors {
  private Floors() {}

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
      RecordedProgress found) {
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
   * @param waiting their names
   * @param reach how far the broker has delivered
   * @param found what the database has now
   */
  static Map<String, Long> ofWaiting(
      Set<String> waiting, Map<String, Reach> reach, RecordedProgress found) {
    Map<String, Long> floors = new HashMap<>();
    for (String lane : waiting) {
      Place place = found.places().get(lane);
      Reach known = reach.get(lane);
      if (place != null
          && known != null
          && !place.server().equals(found.server())
          && place.position() < known.from()) {
        floors.put(lane, place.position());
      }
    }
    return floors;
  }
}
