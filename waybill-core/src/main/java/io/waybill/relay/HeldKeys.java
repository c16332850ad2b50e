package io.waybill.relay;

import io.waybill.message.EventKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Keys whose held rows can be read back: unblocked, with nothing in memory and nothing unsettled.
 */
final class HeldKeys {
  private final Set<KeyQueue> readable = new LinkedHashSet<>();

  void offer(KeyQueue key) {
    if (readable(key)) {
      readable.add(key);
    }
  }

  private static boolean readable(KeyQueue key) {
    return key.held > 0
        && key.head == null
        && key.unsettled == 0
        && !key.parked()
        && !key.backingOff
        && !key.ready;
  }

  List<EventKey> take(int most) {
    List<EventKey> taken = new ArrayList<>();
    var keys = readable.iterator();
    while (keys.hasNext() && taken.size() < most) {
      KeyQueue key = keys.next();
      keys.remove();
      if (readable(key)) {
        taken.add(key.key);
      }
    }
    return taken;
  }

  boolean isEmpty() {
    return readable.isEmpty();
  }

  void removeLanes(Set<Integer> lanes) {
    readable.removeIf(key -> lanes.contains(key.lane));
  }

  void clear() {
    readable.clear();
  }
}
