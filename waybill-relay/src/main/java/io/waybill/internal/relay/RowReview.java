package io.waybill.internal.relay;

import io.waybill.internal.relay.Looks.Asked;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowLook;
import io.waybill.store.RowRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes rows as the table says they are now: what somebody else marked, gave up or removed is in
 * nobody's way any more, what was set back is tried again, and what was changed is sent as it is.
 */
final class RowReview {
  private final EngineState state;
  private final KeyFlow flow;
  private final Failures failures;
  private List<Asked> asked = List.of();

  RowReview(EngineState state, KeyFlow flow, Failures failures) {
    this.state = state;
    this.flow = flow;
    this.failures = failures;
  }

  /** Rows to look at now, as a request to the reader; none if there are none. */
  List<RowRef> next() {
    asked = flow.looks.take(flow);
    return asked.stream().map(Asked::row).toList();
  }

  /** Nobody looked: the keys ask again. */
  void onFailed() {
    for (Asked one : asked) {
      KeyQueue key = flow.find(one.key(), one.lane());
      if (key != null) {
        goOn(key);
      }
    }
    asked = List.of();
    flow.looks.soon();
  }

  /**
   * Takes in how the rows stand.
   *
   * @param moving rows whose state as read may be out of date, by their ids
   */
  void onLooked(List<RowLook> looks, Map<Object, Entry> moving) {
    Map<RowRef, RowLook> found = new HashMap<>();
    looks.forEach(look -> found.put(look.ref(), look));
    List<Asked> answered = asked;
    asked = List.of();
    List<KeyQueue> keys = new ArrayList<>();
    for (Asked one : answered) {
      RowLook look = found.get(one.row());
      // A key that rests does so until its row is no longer parked.
      boolean still = look == null || look.state() == EventState.PARKED;
      KeyQueue key =
          still ? flow.find(one.key(), one.lane()) : flow.findOrWake(one.key(), one.lane());
      if (key != null) {
        if (look != null) {
          take(key, look, moving.get(one.row().rowId()));
        }
        keys.add(key);
      }
    }
    // All rows of a key are as they are now before the first is sent.
    keys.stream().filter(flow::has).forEach(this::goOn);
  }

  private void goOn(KeyQueue key) {
    flow.parkedRows.holdBehind(key);
    flow.sender.pump(key);
    flow.heldRows.offer(key);
    flow.keys.forget(key);
  }

  private void take(KeyQueue key, RowLook look, @Nullable Entry moving) {
    Entry entry = key.find(look.ref());
    if (entry != null) {
      waiting(entry, look, moving);
    } else if (moving == null && key.inFlight == 0 && key.isParkedAt(look.ref())) {
      parked(key, look);
    }
  }

  private static boolean isOver(RowLook look) {
    return look.row() == null
        || look.state() == EventState.PUBLISHED
        || look.state() == EventState.DEAD;
  }

  private void waiting(Entry entry, RowLook look, @Nullable Entry moving) {
    boolean atRest = entry.state == Entry.State.QUEUED && !entry.burying && !entry.row.replay();
    OutboxRow row = look.row();
    if (moving != null && moving != entry && atRest && entry.isDoubtful()) {
      lookLater(entry, moving);
    } else if (moving != null || !atRest) {
      entry.seen(state.now);
    } else if (isOver(look)) {
      entry.key.pasts.remove(look.ref());
      drop(entry);
    } else if (row != null && look.state() != EventState.PARKED) {
      boolean doubtful = entry.isDoubtful();
      entry.reread(row, state.now);
      entry.held(look.state() == EventState.HELD);
      if (doubtful) {
        entry.knows(entry.key.pasts.remove(look.ref()));
        // Somebody set it back: the reader may return it once more.
        entry.key.takenBack(entry);
        flow.heldRows.putBehind(entry);
      }
    } else {
      entry.seen(state.now);
    }
  }

  /** Whether it was read before the change that is being made of its row, or after it. */
  private void lookLater(Entry entry, Entry moving) {
    if (moving.unsettled > 0) {
      drop(entry);
      // Else its number is another row's, of before the table was emptied.
      if (moving.key == entry.key) {
        moving.returned(entry.row);
      }
    } else {
      flow.looks.ask(entry.key);
    }
  }

  private void drop(Entry entry) {
    KeyQueue key = entry.key;
    if (entry == key.head && key.backingOff) {
      failures.timers.cancel(key);
    }
    key.remove(entry);
    flow.heldRows.release(entry);
    if (entry.recorded) {
      state.settle.forgotten(entry.row.ref(), state.now);
    }
  }

  private void parked(KeyQueue key, RowLook look) {
    OutboxRow row = look.row();
    if (look.state() == EventState.PARKED) {
      return;
    }
    if (row == null || isOver(look)) {
      key.unpark(look.ref());
      state.settle.forgotten(look.ref(), state.now);
      return;
    }
    flow.parkedRows.takeBack(row, key, look.state() != EventState.PENDING);
  }
}
