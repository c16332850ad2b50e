package io.waybill.internal.relay;

import io.waybill.message.EventKey;
import io.waybill.observe.RelayEvent;
import io.waybill.store.HeldKey;
import io.waybill.store.OutboxRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rows that wait in the database behind a blocked key or destination, and the keys whose held rows
 * can be read back: unblocked, with nothing in memory and nothing unsettled.
 *
 * <p>A new owner first reads all other rows of the lane. Rows can be held behind one that was in
 * flight when its relay died, and that has no record: it is read in this scan, held as well, and so
 * takes its place before them.
 */
final class HeldRows {
  private static final int FEW = 1_000;

  private final EngineState state;
  private final KeyTable keys;
  private final Marks marks;
  private final Looks looks;
  private final Set<KeyQueue> readable = new LinkedHashSet<>();
  private final RestingKeys.Cursor sweep = new RestingKeys.Cursor();

  HeldRows(EngineState state, KeyTable keys, Marks marks, Looks looks) {
    this.state = state;
    this.keys = keys;
    this.marks = marks;
    this.looks = looks;
  }

  /** The row waits in the database from now on. */
  void hold(OutboxRow row, KeyQueue key) {
    write(row, key);
    state.tell(new RelayEvent.Held(1));
  }

  private void write(OutboxRow row, KeyQueue key) {
    Entry entry = new Entry(row, key, state.now);
    state.budget.add(entry);
    key.held++;
    marks.held(entry);
  }

  /**
   * Puts entries cut off from their key back into the database. One that may have come to its end
   * stays until it is looked at.
   */
  void holdRest(KeyQueue key, @Nullable Entry first) {
    boolean others = false;
    int written = 0;
    Entry entry = first;
    while (entry != null) {
      Entry next = entry.cut();
      if (entry.isDoubtful()) {
        if (others) {
          entry.displaced();
        }
        key.append(entry);
        looks.ask(key);
      } else {
        release(entry);
        others = true;
        written += putBack(entry, key) ? 1 : 0;
      }
      entry = next;
    }
    if (written > 0) {
      state.tell(new RelayEvent.Held(written));
    }
  }

  /**
   * The row of an entry in doubt waits after all: behind those of its key that are held, unless it
   * has kept its place before them.
   */
  void putBehind(Entry entry) {
    KeyQueue key = entry.key;
    boolean behind = entry.displaced && (key.held > 0 || entry.fromHeld);
    entry.inPlace();
    if (behind) {
      holdRest(key, key.cutFrom(entry));
    }
  }

  /** Returns whether its row was not held already. */
  private boolean putBack(Entry entry, KeyQueue key) {
    if (entry.row.replay()) {
      // The row is not in question, and the operator's request is still there.
      return false;
    }
    if (entry.unknownOutcome || entry.attempts > 0 || entry.row.sends() > 0) {
      Past past = new Past(entry.attempts, entry.unknownOutcome, entry.row.sends());
      key.pasts.put(entry.row.ref(), past);
    }
    if (entry.fromHeld) {
      key.held++;
      return false;
    }
    write(entry.row, key);
    return true;
  }

  /** The entry leaves memory, or does so once its last change is durable. */
  void release(Entry entry) {
    entry.left();
    state.meanwhile.dropped(entry);
    if (entry.unsettled == 0) {
      state.budget.remove(entry);
    }
  }

  void releaseAll(@Nullable Entry first) {
    for (Entry entry = first; entry != null; entry = entry.next) {
      release(entry);
    }
  }

  void onHeldKey(HeldKey held) {
    KeyQueue key = keys.of(held.key(), held.lane());
    // Too many do no harm: a read that finds none says so.
    key.held += held.rows();
    offer(key);
    keys.forget(key);
  }

  /** Takes the rows of a read that can be sent; the rest is read again later. */
  List<Entry> onRead(List<OutboxRow> rows, boolean more) {
    if (!more) {
      count(rows);
    }
    List<Entry> entries = new ArrayList<>();
    for (OutboxRow row : rows) {
      KeyQueue key = keys.of(row);
      if (state.lanes.sends(row.lane()) && !key.parked() && !key.backingOff) {
        key.held = Math.max(0, key.held - 1);
        Entry entry = new Entry(row, key, state.now);
        entry.readBack(key.pasts.remove(row.ref()));
        entries.add(entry);
      }
    }
    return entries;
  }

  /** These are all that the keys have. */
  private void count(List<OutboxRow> rows) {
    Map<KeyQueue, Long> found = new HashMap<>();
    rows.forEach(row -> found.merge(keys.of(row), 1L, Long::sum));
    found.forEach(
        (key, number) -> {
          if (key.unsettled == 0) {
            key.held = Math.min(key.held, number);
          }
        });
  }

  /** After a read: keys that turned out to have none are told so, others are read on. */
  void afterRead(Collection<EventKey> asked, List<OutboxRow> rows, boolean more) {
    Set<KeyQueue> returned = new HashSet<>();
    rows.forEach(row -> returned.add(keys.of(row)));
    for (EventKey name : asked) {
      KeyQueue key = keys.find(name);
      if (key != null) {
        if (!more && key.unsettled == 0 && !returned.contains(key)) {
          key.held = 0;
        }
        offer(key);
        keys.forget(key);
      }
    }
  }

  void offer(KeyQueue key) {
    // Of many, the others rest until those at hand have been read.
    if (isReadable(key) && (hasFew() || !keys.rest(key))) {
      key.offered = true;
      readable.add(key);
    }
  }

  /** Whether keys that rest may come to be read. */
  boolean hasFew() {
    return readable.size() < FEW;
  }

  void offerAll(Collection<EventKey> names) {
    for (EventKey name : names) {
      KeyQueue key = keys.find(name);
      if (key != null) {
        offer(key);
      }
    }
  }

  private boolean isReadable(KeyQueue key) {
    return key.held > 0
        && key.head == null
        && key.unsettled == 0
        && key.mayMove()
        && state.lanes.sends(key.lane)
        && state.lanes.isScanned(key.lane);
  }

  List<EventKey> take(int most) {
    if (readable.size() < most) {
      keys.wakeReadable(sweep, most - readable.size()).forEach(this::offer);
    }
    List<EventKey> taken = new ArrayList<>();
    var candidates = readable.iterator();
    while (candidates.hasNext() && taken.size() < most) {
      KeyQueue key = candidates.next();
      candidates.remove();
      key.offered = false;
      if (isReadable(key)) {
        taken.add(key.key);
      }
    }
    return taken;
  }

  boolean anyReadable() {
    return !readable.isEmpty() || keys.anyReadable();
  }

  void removeLanes(Set<Integer> lanes) {
    readable.removeIf(key -> lanes.contains(key.lane));
  }

  void clear() {
    readable.clear();
  }
}
