package io.waybill.inbox;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How often letters of deferred events have failed, while the events go back to their table and
 * come again. Bounded: the one that failed the longest ago is forgotten first.
 */
final class LetterTries {
  private final int most;
  private final Map<String, Integer> failures = new LinkedHashMap<>(16, 0.75f, true);

  LetterTries(int most) {
    this.most = most;
  }

  /** Returns how often, this time included. */
  int failed(String eventId) {
    int times = failures.merge(eventId, 1, Integer::sum);
    if (failures.size() > most) {
      failures.remove(failures.keySet().iterator().next());
    }
    return times;
  }

  void forget(String eventId) {
    failures.remove(eventId);
  }
}
