package io.waybill.internal.relay;

import io.waybill.internal.relay.KeyQueue.Parked;
import io.waybill.internal.relay.RestingLane.Resting;
import io.waybill.message.EventKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Blocked keys that have nothing in memory, beyond those that are at hand as {@link KeyQueue}s: 40
 * to 75 bytes each. A key comes back as it was when a row of it arrives, when what blocks it opens,
 * or when somebody changed its parked row; only how many rows it has in the database is forgotten,
 * and the read that finds no more tells.
 */
final class RestingKeys {
  /** Entries that one turn looks at. */
  private static final int LOOKS_PER_TURN = 10_000;

  private final TreeMap<Integer, RestingLane> lanes = new TreeMap<>();
  // Those that keys wait for, by their number.
  private final List<@Nullable Breaker> breakers = new ArrayList<>();
  private int size;
  private int parked;

  /** How far a look at all entries has come. */
  static final class Cursor {
    private int lane;
    private int entry;
    private int moves;
  }

  RestingKeys() {
    // Number 0 is that of keys which wait for no breaker.
    breakers.add(null);
  }

  /** Returns whether the key rests from now on; its queue is of no use any more. */
  boolean rest(KeyQueue key) {
    Parked row = key.firstParked();
    if (!key.mayRest() || (row != null && !RestingLane.takes(row.row().rowId()))) {
      return false;
    }
    long micros = row == null ? 0 : row.row().createdAtMicros();
    RestingLane lane = lanes.computeIfAbsent(key.lane, number -> new RestingLane(micros));
    if (lane.isFull()) {
      return false;
    }
    Breaker gate = key.waitsFor;
    lane.add(new Resting(key.key, row, key.held > 0, gate == null ? 0 : numberOf(gate)));
    size++;
    parked += row == null ? 0 : 1;
    if (gate != null) {
      gate.release(key);
      gate.resting++;
    }
    key.abandon();
    return true;
  }

  private int numberOf(Breaker breaker) {
    if (breaker.number == 0) {
      int free = breakers.subList(1, breakers.size()).indexOf(null) + 1;
      breaker.number = free == 0 ? breakers.size() : free;
      if (free == 0) {
        breakers.add(breaker);
      } else {
        breakers.set(free, breaker);
      }
    }
    return breaker.number;
  }

  /** The key as it was, which rests no longer; null if it did not. */
  @Nullable KeyQueue wake(EventKey name, int number) {
    RestingLane lane = lanes.get(number);
    Resting known = lane == null ? null : lane.take(name);
    return known == null ? null : wake(known, number);
  }

  private KeyQueue wake(Resting known, int lane) {
    KeyQueue key = new KeyQueue(known.name(), lane);
    key.held = known.held() ? KeyQueue.UNCOUNTED : 0;
    size--;
    Parked row = known.parked();
    if (row != null) {
      parked--;
      key.park(row.row(), row.afterUnknown());
    }
    Breaker gate = breakers.get(known.waitsFor());
    if (gate != null) {
      left(gate, 1);
      key.common = gate.common ? gate : null;
      gate.await(key);
    }
    return key;
  }

  private void left(Breaker gate, int keys) {
    gate.resting -= keys;
    if (gate.resting == 0) {
      breakers.set(gate.number, null);
      gate.number = 0;
    }
  }

  /**
   * Wakes unparked keys.
   *
   * @param gate what they wait for; null for keys that can be read
   * @param most how many
   * @param within the lanes to look in
   * @return some of them; maybe none although there are some, since a call looks at a bounded
   *     number of keys
   */
  List<KeyQueue> wake(@Nullable Breaker gate, Cursor cursor, int most, IntPredicate within) {
    List<KeyQueue> woken = new ArrayList<>();
    int number = gate == null ? 0 : gate.number;
    int looks = LOOKS_PER_TURN;
    for (int left = lanes.size(); left >= 0; left--) {
      Map.Entry<Integer, RestingLane> at = lanes.ceilingEntry(cursor.lane);
      if (at != null && within.test(at.getKey()) && at.getValue().waiting(number) > 0) {
        RestingLane lane = at.getValue();
        int entry = entryOf(cursor, at);
        for (; entry < lane.end() && woken.size() < most && looks > 0; looks--) {
          int next = lane.next(entry);
          if (isWaiting(lane, entry, number)) {
            woken.add(wake(lane.takeAt(entry), at.getKey()));
          }
          entry = next;
        }
        cursor.entry = entry;
        if (woken.size() == most || looks == 0) {
          return woken;
        }
      }
      to(cursor, at == null ? 0 : at.getKey() + 1);
    }
    return woken;
  }

  private static boolean isWaiting(RestingLane lane, int entry, int number) {
    return lane.isLive(entry) && !lane.isParked(entry) && lane.waitsFor(entry) == number;
  }

  private static int entryOf(Cursor cursor, Map.Entry<Integer, RestingLane> at) {
    int moves = at.getValue().moves();
    if (cursor.lane != at.getKey() || cursor.moves != moves) {
      // Entries stand elsewhere now: the lane is looked at from its start.
      to(cursor, at.getKey());
      cursor.moves = moves;
    }
    return cursor.entry;
  }

  private static void to(Cursor cursor, int lane) {
    cursor.lane = lane;
    cursor.entry = 0;
    cursor.moves = -1;
  }

  /**
   * Lists parked keys.
   *
   * @param into takes them in
   * @return whether these were the last; more may come although there were none, since a call looks
   *     at a bounded number of keys
   */
  boolean parked(Cursor cursor, int most, BiConsumer<Integer, Resting> into) {
    int left = most;
    int looks = LOOKS_PER_TURN;
    for (Map.Entry<Integer, RestingLane> at = lanes.ceilingEntry(cursor.lane);
        at != null;
        at = lanes.ceilingEntry(cursor.lane)) {
      RestingLane lane = at.getValue();
      int entry = entryOf(cursor, at);
      for (; entry < lane.end() && left > 0 && looks > 0; looks--) {
        int next = lane.next(entry);
        if (lane.isLive(entry) && lane.isParked(entry)) {
          into.accept(at.getKey(), lane.read(entry));
          left--;
        }
        entry = next;
      }
      cursor.entry = entry;
      if (left == 0 || looks == 0) {
        return false;
      }
      to(cursor, at.getKey() + 1);
    }
    return true;
  }

  /** Whether keys rest in these lanes that can be read. */
  boolean anyReadable(IntPredicate within) {
    if (size == parked) {
      return false;
    }
    for (Map.Entry<Integer, RestingLane> lane : lanes.entrySet()) {
      if (lane.getValue().waiting(0) > 0 && within.test(lane.getKey())) {
        return true;
      }
    }
    return false;
  }

  void removeLanes(Set<Integer> gone) {
    for (int number : gone) {
      RestingLane lane = lanes.remove(number);
      if (lane != null) {
        size -= lane.size();
        parked -= lane.parked();
        for (int i = 1; i < breakers.size(); i++) {
          Breaker gate = breakers.get(i);
          if (gate != null && lane.waiting(i) > 0) {
            left(gate, lane.waiting(i));
          }
        }
      }
    }
  }

  void clear() {
    lanes.clear();
    breakers.subList(1, breakers.size()).clear();
    size = 0;
    parked = 0;
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  int parked() {
    return parked;
  }

  long bytes() {
    return lanes.values().stream().mapToLong(RestingLane::bytes).sum();
  }
}
