package io.waybill.relay;

import io.waybill.message.EventKey;
import io.waybill.observe.RelayEvent;
import io.waybill.store.HeldKey;
import io.waybill.store.OutboxRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The keys that have something in memory, or something that blocks them. */
final class KeyTable {
  private final Map<EventKey, KeyQueue> keys = new HashMap<>();

  KeyQueue of(OutboxRow row) {
    // Rows without a key have no order among each other: each is a key of its own.
    return of(HeldKey.nameOf(row), row.lane());
  }

  KeyQueue of(EventKey name, int lane) {
    return keys.computeIfAbsent(name, key -> new KeyQueue(key, lane));
  }

  @Nullable KeyQueue find(EventKey name) {
    return keys.get(name);
  }

  void forget(KeyQueue key) {
    if (key.idle()) {
      keys.remove(key.key, key);
    }
  }

  List<KeyQueue> in(Set<Integer> lanes) {
    List<KeyQueue> found = new ArrayList<>();
    for (KeyQueue key : keys.values()) {
      if (lanes.contains(key.lane)) {
        found.add(key);
      }
    }
    return found;
  }

  void removeLanes(Set<Integer> lanes) {
    keys.values().removeIf(key -> lanes.contains(key.lane));
  }

  void clear() {
    keys.clear();
  }

  RelayEvent.Gauges gauges(EngineState state, int inFlight, int unsettled) {
    int blocked = 0;
    long oldest = 0;
    for (KeyQueue key : keys.values()) {
      Entry head = key.head;
      if (key.parked() || key.backingOff) {
        blocked++;
      }
      if (head != null) {
        long readAge = head.row.readAtMicros() - head.row.createdAtMicros();
        oldest = Math.max(oldest, readAge + (state.now - head.readNanos) / 1000);
      }
    }
    return new RelayEvent.Gauges(
        inFlight, state.budget.bytes(), unsettled, state.lanes.size(), blocked, oldest / 1000);
  }
}
