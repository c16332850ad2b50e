package io.waybill.proof.explore;

import io.waybill.proof.explore.Step.Answer;
import io.waybill.store.LaneView;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Sessions of relays in a state, and the lanes that they own. */
final class Sessions {
  private final Scope scope;

  Sessions(Scope scope) {
    this.scope = scope;
  }

  static Answer.Joined join(State state) {
    Database.flush(state);
    state.lastFence++;
    state.alive |= State.bit(state.lastFence);
    return new Answer.Joined(state.lastFence);
  }

  LaneView view(State state, int fence) {
    for (int other = 1; other <= state.lastFence; other++) {
      if (other != fence && State.has(gone(state), other)) {
        takeAway(state, other);
      }
    }
    Set<Integer> mine = new TreeSet<>();
    Set<Integer> free = new TreeSet<>();
    for (int lane = 0; lane < state.owners.length; lane++) {
      if (!scope.protocol().owns() || state.owners[lane] == fence) {
        mine.add(lane);
      } else if (state.owners[lane] == 0) {
        free.add(lane);
      }
    }
    int counted = state.alive & ~(state.leaving & ~State.bit(fence));
    int sessions = scope.protocol().owns() ? Integer.bitCount(counted) : 1;
    return new LaneView(
        State.has(state.alive, fence),
        mine,
        sessions,
        free,
        state.owners.length,
        quietMillis(state, mine),
        List.of());
  }

  /** Sessions, as bits, that the next look of another relay ends. */
  static int gone(State state) {
    return (state.expired | state.ended) & state.alive;
  }

  private long quietMillis(State state, Set<Integer> lanes) {
    boolean quiet = lanes.stream().allMatch(lane -> state.unquiet[lane] == 0);
    return quiet || !scope.protocol().tellsQuiet() ? 0 : scope.quietMillis();
  }

  private void takeAway(State state, int fence) {
    for (int relay = 0; relay < state.relays.length; relay++) {
      if (state.relays[relay].fence == fence) {
        state.excuse(relay);
      }
    }
    boolean early = !State.has(state.expired, fence);
    for (int lane = 0; early && lane < state.owners.length; lane++) {
      if (state.owners[lane] == fence) {
        state.unquiet[lane] |= State.bit(fence);
      }
    }
    if (early && !scope.protocol().fencesUnlocked()) {
      state.ended &= ~State.bit(fence);
      free(state, fence);
    } else {
      end(state, fence);
    }
  }

  void renew(State state, int fence, boolean leaving) {
    state.expired &= ~State.bit(fence);
    if (leaving && State.has(state.alive, fence)) {
      state.leaving |= State.bit(fence);
      if (scope.protocol().leavesAtOnce()) {
        free(state, fence);
      }
    }
  }

  static void end(State state, int fence) {
    state.alive &= ~State.bit(fence);
    state.expired &= ~State.bit(fence);
    state.ended &= ~State.bit(fence);
    state.leaving &= ~State.bit(fence);
    state.held &= ~State.bit(fence);
    free(state, fence);
  }

  private static void free(State state, int fence) {
    for (int lane = 0; lane < state.owners.length; lane++) {
      if (state.owners[lane] == fence) {
        state.owners[lane] = 0;
      }
    }
  }

  static Set<Integer> acquire(State state, int fence, Set<Integer> lanes) {
    Set<Integer> won = new TreeSet<>();
    if (State.has(state.alive, fence)) {
      for (int lane : lanes) {
        if (state.owners[lane] == 0) {
          state.owners[lane] = fence;
          won.add(lane);
        }
      }
    }
    return won;
  }

  static void release(State state, int fence, Set<Integer> lanes) {
    for (int lane : lanes) {
      if (state.owners[lane] == fence) {
        state.owners[lane] = 0;
      }
    }
  }
}
