package io.waybill.internal.relay;

import io.waybill.message.EventKey;
import io.waybill.observe.RelayEvent;
import io.waybill.store.HeldKey;
import io.waybill.store.OutboxRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys that have something in memory, or something that blocks them. Beyond a bound, blocked
 * ones that have nothing in memory rest.
 */
final class KeyTable {
  private static final int TOLD_AGAIN = 100_000;

  private final EngineState state;
  private final Map<EventKey, KeyQueue> keys = new HashMap<>();
  private final Set<KeyQueue> watched = new LinkedHashSet<>();
  private final RestingKeys resting = new RestingKeys();
  private int tellAt = 1;

  KeyTable(EngineState state) {
    this.state = state;
  }

  KeyQueue of(OutboxRow row) {
    // Rows without a key have no order among each other: each is a key of its own.
    return of(HeldKey.nameOf(row), row.lane());
  }

  KeyQueue of(EventKey name, int lane) {
    KeyQueue key = known(name, lane);
    if (key == null) {
      key = new KeyQueue(name, lane);
      keys.put(name, key);
    }
    return key;
  }

  /** A key in the place of one that was abandoned. */
  KeyQueue anew(KeyQueue abandoned) {
    KeyQueue key = new KeyQueue(abandoned.key, abandoned.lane);
    keys.put(key.key, key);
    watched.remove(abandoned);
    return key;
  }

  /** The key, whether it rests or not. */
  @Nullable KeyQueue known(EventKey name, int lane) {
    KeyQueue key = keys.get(name);
    if (key == null && !resting.isEmpty()) {
      key = resting.wake(name, lane);
      if (key != null) {
        woke(key);
      }
    }
    return key;
  }

  private void woke(KeyQueue key) {
    keys.put(key.key, key);
    if (key.parked()) {
      watched.add(key);
    }
  }

  /** The key, unless it rests. */
  @Nullable KeyQueue find(EventKey name) {
    return keys.get(name);
  }

  void forget(KeyQueue key) {
    if (key.idle()) {
      keys.remove(key.key, key);
    } else {
      rest(key);
    }
  }

  /** Returns whether the key rests from now on; it does not as long as few are at hand. */
  boolean rest(KeyQueue key) {
    boolean many = keys.size() > state.settings.maxKeys() && keys.get(key.key) == key;
    if (!many || !resting.rest(key)) {
      return false;
    }
    keys.remove(key.key, key);
    watched.remove(key);
    if (resting.size() >= tellAt) {
      tellAt = Math.max(TOLD_AGAIN, 2 * resting.size());
      int bound = state.settings.maxKeys();
      state.tell(new RelayEvent.ManyKeysBlocked(bound, resting.size(), resting.bytes()));
    }
    return true;
  }

  /** Keys that wait for a breaker stand in its line, as many as it may need next. */
  void wake(Breaker gate, int most) {
    resting.wake(gate, gate.sweep, most, lane -> true).forEach(this::woke);
  }

  /** Keys with held rows in lanes that can be read. */
  List<KeyQueue> wakeReadable(RestingKeys.Cursor sweep, int most) {
    List<KeyQueue> woken = resting.wake(null, sweep, most, this::isRead);
    woken.forEach(this::woke);
    return woken;
  }

  boolean anyReadable() {
    return resting.anyReadable(this::isRead);
  }

  private boolean isRead(int lane) {
    return state.lanes.sends(lane) && state.lanes.isScanned(lane);
  }

  /** Keys that do not rest. */
  Collection<KeyQueue> atHand() {
    return keys.values();
  }

  /** Blocked keys at hand, whose rows are looked at from time to time. */
  Set<KeyQueue> watched() {
    return watched;
  }

  /** Blocked keys that rest, whose rows are looked at as well. */
  RestingKeys resting() {
    return resting;
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
    watched.removeIf(key -> lanes.contains(key.lane));
    resting.removeLanes(lanes);
  }

  void clear() {
    keys.clear();
    watched.clear();
    resting.clear();
    tellAt = 1;
  }

  RelayEvent.Gauges gauges(int inFlight, int unsettled) {
    int blocked = resting.parked();
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
        inFlight,
        state.budget.bytes(),
        unsettled,
        state.lanes.size(),
        blocked,
        resting.bytes(),
        oldest / 1000);
  }
}
