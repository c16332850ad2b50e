package io.waybill.internal.relay;

import io.waybill.internal.relay.KeyQueue.Parked;
import io.waybill.message.EventKey;
import io.waybill.store.RowRef;
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

  /** Between the parts of a round: of two million keys it takes about a minute. */
  private static final long PART_NANOS = 20_000_000L;

  private final EngineState state;
  private final KeyTable keys;
  private final long maxAge;
  // Keys whose next row waited too long to be sent without another look.
  private final Set<KeyQueue> asking = new LinkedHashSet<>();
  private boolean inRound;
  private int leftInRound;
  private RestingKeys.Cursor sweep = new RestingKeys.Cursor();
  private long nextRound;

  /** A row that is looked at, and the key that waits for it. */
  record Asked(EventKey key, int lane, RowRef row) {}

  Looks(EngineState state, KeyTable keys) {
    this.state = state;
    this.keys = keys;
    this.maxAge = Math.min(LONGEST_NANOS, 2 * state.settings.lease().toNanos());
    this.nextRound = state.now + maxAge;
  }

  /** Whether the row has to be looked at before it is sent. */
  boolean tooLongAgo(Entry entry) {
    return state.now - entry.seenNanos > maxAge && !entry.burying && !entry.row.replay();
  }

  /** The row may have come to its end since it was read. */
  void doubt(Entry entry) {
    entry.seen(entry.readNanos - maxAge - 1);
  }

  /** The next row of the key is looked at before it is sent. */
  void ask(KeyQueue key) {
    asking.add(key);
  }

  /** The row that blocks the key is looked at from time to time. */
  void watch(KeyQueue key) {
    keys.watched().add(key);
  }

  /** The next round begins at once. */
  void soon() {
    nextRound = state.now;
  }

  boolean anyAsking() {
    return !asking.isEmpty();
  }

  /** Whether a round has begun and is to go on. */
  boolean inRound() {
    return inRound;
  }

  long deadline() {
    boolean none = keys.watched().isEmpty() && keys.resting().parked() == 0;
    return anyAsking() ? state.now : none ? Long.MAX_VALUE : nextRound;
  }

  /** What to look at now; empty if nothing. */
  List<Asked> take(KeyFlow flow) {
    List<Asked> taken = new ArrayList<>();
    Iterator<KeyQueue> waiting = asking.iterator();
    while (waiting.hasNext() && taken.size() < MOST) {
      KeyQueue key = waiting.next();
      waiting.remove();
      if (flow.has(key)) {
        addWaiting(key, taken);
      }
    }
    if (state.now - nextRound >= 0) {
      takeRound(flow, taken);
    }
    return taken;
  }

  private static void add(KeyQueue key, RowRef row, List<Asked> taken) {
    taken.add(new Asked(key.key, key.lane, row));
  }

  private void addWaiting(KeyQueue key, List<Asked> taken) {
    for (Entry entry = key.unsent(); entry != null && taken.size() < MOST; entry = entry.next) {
      // Those behind that would have to be asked for soon as well.
      if (state.now - entry.seenNanos > maxAge / 2) {
        add(key, entry.row.ref(), taken);
      }
    }
  }

  private void takeRound(KeyFlow flow, List<Asked> taken) {
    if (!inRound) {
      inRound = true;
      leftInRound = keys.watched().size();
      sweep = new RestingKeys.Cursor();
    }
    Set<KeyQueue> watched = keys.watched();
    leftInRound = Math.min(leftInRound, watched.size());
    while (leftInRound > 0 && taken.size() < MOST) {
      leftInRound--;
      KeyQueue key = watched.iterator().next();
      watched.remove(key);
      if (flow.has(key) && (key.parked() || key.backingOff)) {
        watch(key);
        addBlocking(key, taken);
      }
    }
    inRound = leftInRound > 0 || !takeResting(taken);
    nextRound = state.now + (inRound ? PART_NANOS : maxAge);
  }

  /** Returns whether none is left in this round. */
  private boolean takeResting(List<Asked> taken) {
    // Those that somebody set back come into memory.
    int most = state.budget.hasRoom() ? MOST - taken.size() : 0;
    return keys.resting()
        .parked(
            sweep,
            most,
            (lane, key) -> {
              Parked parked = key.parked();
              if (parked != null) {
                taken.add(new Asked(key.name(), lane, parked.row()));
              }
            });
  }

  private void addBlocking(KeyQueue key, List<Asked> taken) {
    for (Parked parked = key.firstParked(); parked != null; parked = parked.next()) {
      add(key, parked.row(), taken);
    }
    Entry head = key.head;
    if (key.backingOff && head != null && head.state == Entry.State.QUEUED) {
      add(key, head.row.ref(), taken);
    }
  }

  void clear() {
    asking.clear();
    inRound = false;
    leftInRound = 0;
  }
}
