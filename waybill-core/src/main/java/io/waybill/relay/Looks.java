package io.waybill.relay;

import io.waybill.store.RowRef;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which rows are to be looked at again, since people may have marked, changed or removed them:
 * those that waited long in memory, before they are sent; and from time to time the row that blocks
 * a key, a bounded number at a time.
 */
final class Looks {
  private static final int MOST = 1_000;
  private static final long LONGEST_NANOS = 30_000_000_000L;

  private final EngineState state;
  private final long maxAge;
  // Keys whose next row waited too long to be sent without another look.
  private final Set<KeyQueue> asking = new LinkedHashSet<>();
  // Blocked keys, in the order in which they are looked at.
  private final ArrayDeque<KeyQueue> round = new ArrayDeque<>();
  private int leftInRound;
  private long nextRound;

  /** A row that is looked at, and the key that waits for it. */
  record Asked(KeyQueue key, RowRef row) {}

  Looks(EngineState state) {
    this.state = state;
    this.maxAge = Math.min(LONGEST_NANOS, 2 * state.settings.lease().toNanos());
    this.nextRound = state.now + maxAge;
  }

  /** Whether the row has to be looked at before it is sent. */
  boolean tooLongAgo(Entry entry) {
    return state.now - entry.seenNanos > maxAge && !entry.burying && !entry.row.replay();
  }

  /** The next row of the key is looked at before it is sent. */
  void ask(KeyQueue key) {
    asking.add(key);
  }

  /** The row that blocks the key is looked at from time to time. */
  void watch(KeyQueue key) {
    if (!key.inRound) {
      key.inRound = true;
      round.add(key);
    }
  }

  /** The next round begins at once. */
  void soon() {
    nextRound = state.now;
  }

  boolean anyAsking() {
    return !asking.isEmpty();
  }

  long deadline() {
    return anyAsking() ? state.now : round.isEmpty() ? Long.MAX_VALUE : nextRound;
  }

  /** What to look at now; empty if nothing. */
  List<Asked> take(KeyFlow flow) {
    List<Asked> taken = new ArrayList<>();
    Iterator<KeyQueue> keys = asking.iterator();
    while (keys.hasNext() && taken.size() < MOST) {
      KeyQueue key = keys.next();
      keys.remove();
      if (flow.has(key)) {
        addWaiting(key, taken);
      }
    }
    if (state.now - nextRound >= 0) {
      takeRound(flow, taken);
    }
    return taken;
  }

  private void addWaiting(KeyQueue key, List<Asked> taken) {
    for (Entry entry = key.unsent(); entry != null && taken.size() < MOST; entry = entry.next) {
      // Those behind that would have to be asked for soon as well.
      if (state.now - entry.seenNanos > maxAge / 2) {
        taken.add(new Asked(key, entry.row.ref()));
      }
    }
  }

  private void takeRound(KeyFlow flow, List<Asked> taken) {
    if (leftInRound == 0) {
      leftInRound = round.size();
    }
    while (leftInRound > 0 && taken.size() < MOST) {
      leftInRound--;
      KeyQueue key = round.remove();
      key.inRound = false;
      if (flow.has(key) && (key.parked() || key.backingOff)) {
        watch(key);
        addBlocking(key, taken);
      }
    }
    if (leftInRound == 0) {
      nextRound = state.now + maxAge;
    }
  }

  private void addBlocking(KeyQueue key, List<Asked> taken) {
    for (KeyQueue.Parked parked = key.firstParked(); parked != null; parked = parked.next()) {
      taken.add(new Asked(key, parked.row()));
    }
    Entry head = key.head;
    if (key.backingOff && head != null && head.state == Entry.State.QUEUED) {
      taken.add(new Asked(key, head.row.ref()));
    }
  }

  void clear() {
    asking.clear();
    round.clear();
    leftInRound = 0;
  }
}
