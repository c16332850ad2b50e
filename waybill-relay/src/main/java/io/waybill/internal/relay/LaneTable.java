package io.waybill.internal.relay;

import io.waybill.store.LaneView;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The lanes of one relay and its fair share of them. */
final class LaneTable {
  enum Phase {
    /** Owned, not yet read. */
    NEW,
    /** Owned and read. */
    ACTIVE,
    /** To be given up: nothing more is sent. */
    DRAINING,
    /** To be given up, and read no longer. */
    REVOKED
  }

  private static final class Lane {
    Phase phase = Phase.NEW;
    int outstanding;
    // Every row that was there when the lane was assigned has been read.
    boolean scanned;
  }

  private final Map<Integer, Lane> lanes = new TreeMap<>();

  // The same by number, for what is asked for each event.
  private @Nullable Lane[] byNumber = new Lane[64];
  private boolean drainedExcess;

  /**
   * Compares with the database: takes in lanes it did not know it owned, and returns those that it
   * does not own after all.
   */
  Set<Integer> reconcile(Set<Integer> mine) {
    Set<Integer> gone = new TreeSet<>(lanes.keySet());
    gone.removeAll(mine);
    released(gone);
    acquired(mine);
    return gone;
  }

  void acquired(Set<Integer> won) {
    won.forEach(number -> slot(number, lanes.computeIfAbsent(number, key -> new Lane())));
  }

  void released(Set<Integer> gone) {
    lanes.keySet().removeAll(gone);
    gone.forEach(number -> slot(number, null));
  }

  private void slot(int number, @Nullable Lane lane) {
    if (number >= byNumber.length) {
      byNumber = Arrays.copyOf(byNumber, number + 1);
    }
    byNumber[number] = lane;
  }

  private @Nullable Lane lane(int number) {
    return number >= 0 && number < byNumber.length ? byNumber[number] : null;
  }

  /** Marks what exceeds the fair share as draining. */
  void drainExcess(LaneView view) {
    int keep = share(view);
    for (Lane lane : lanes.values()) {
      if (lane.phase == Phase.NEW || lane.phase == Phase.ACTIVE) {
        keep--;
        if (keep < 0) {
          lane.phase = Phase.DRAINING;
          drainedExcess = true;
        }
      }
    }
  }

  /** Whether lanes in excess began to drain since the last call. */
  boolean beganToDrain() {
    boolean began = drainedExcess;
    drainedExcess = false;
    return began;
  }

  void drainAll() {
    lanes.values().stream()
        .filter(lane -> lane.phase != Phase.REVOKED)
        .forEach(lane -> lane.phase = Phase.DRAINING);
  }

  /** The free lanes to ask for, begun at a different place by every session. */
  Set<Integer> wanted(LaneView view, long fence) {
    int missing = share(view) - lanes.size();
    Set<Integer> wanted = new TreeSet<>();
    if (view.lanes() == 0) {
      return wanted;
    }
    int start = (int) Math.floorMod(fence * 17, (long) view.lanes());
    for (int i = 0; i < view.lanes() && wanted.size() < missing; i++) {
      int lane = (start + i) % view.lanes();
      if (view.free().contains(lane)) {
        wanted.add(lane);
      }
    }
    return wanted;
  }

  /** A relay's part of all lanes. */
  static int share(LaneView view) {
    int sessions = Math.max(1, view.sessions());
    return (view.lanes() + sessions - 1) / sessions;
  }

  Set<Integer> in(Phase phase) {
    Set<Integer> found = new TreeSet<>();
    lanes.forEach(
        (number, lane) -> {
          if (lane.phase == phase) {
            found.add(number);
          }
        });
    return found;
  }

  /** Lanes that are read no longer and have nothing in flight or unsettled. */
  Set<Integer> releasable() {
    Set<Integer> found = in(Phase.REVOKED);
    found.removeIf(number -> outstanding(number) > 0);
    return found;
  }

  void move(Set<Integer> numbers, Phase from, Phase to) {
    numbers.forEach(
        number -> {
          Lane lane = lane(number);
          if (lane != null && lane.phase == from) {
            lane.phase = to;
          }
        });
  }

  Set<Integer> all() {
    return new TreeSet<>(lanes.keySet());
  }

  boolean any(Phase phase) {
    for (Lane lane : lanes.values()) {
      if (lane.phase == phase) {
        return true;
      }
    }
    return false;
  }

  boolean anyReleasable() {
    for (Lane lane : lanes.values()) {
      if (lane.phase == Phase.REVOKED && lane.outstanding == 0) {
        return true;
      }
    }
    return false;
  }

  boolean sends(int number) {
    Lane lane = lane(number);
    return lane != null && lane.phase == Phase.ACTIVE;
  }

  /** A read found no more: all lanes read until then are scanned. Returns those that were not. */
  Set<Integer> scanned() {
    Set<Integer> newly = new TreeSet<>();
    lanes.forEach(
        (number, lane) -> {
          if (lane.phase == Phase.ACTIVE && !lane.scanned) {
            lane.scanned = true;
            newly.add(number);
          }
        });
    return newly;
  }

  boolean isScanned(int number) {
    Lane lane = lane(number);
    return lane != null && lane.scanned;
  }

  private int outstanding(int number) {
    Lane lane = lane(number);
    return lane == null ? 0 : lane.outstanding;
  }

  /** Counts sends in flight and changes not yet settled. */
  void addOutstanding(int number, int change) {
    Lane lane = lane(number);
    if (lane != null) {
      lane.outstanding += change;
    }
  }

  int size() {
    return lanes.size();
  }

  void clear() {
    lanes.clear();
    Arrays.fill(byNumber, null);
  }
}
