package io.waybill.internal.relay;

import io.waybill.broker.Confirmation;
import io.waybill.internal.encode.MessageMapper;
import io.waybill.message.EventKey;
import io.waybill.observe.RelayEvent;
import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowRef;
import io.waybill.store.RowState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Moves rows through their keys: takes them in, lets them be sent, accepts confirmed prefixes,
 * stops a key at its first failure. What becomes of the failure is {@link Failures}' to decide.
 */
final class KeyFlow {
  private final EngineState state;
  private final Failures failures;
  final KeyTable keys;
  final Sender sender;
  final Destinations destinations;
  final HeldRows heldRows;
  final ParkedRows parkedRows;
  final Marks marks;
  final Looks looks;
  final Notes notes;

  KeyFlow(EngineState state, MessageMapper mapper, Failures failures) {
    this.state = state;
    this.keys = new KeyTable(state);
    this.failures = failures;
    this.sender = new Sender(state, mapper, this, keys, failures);
    this.destinations = new Destinations(state);
    this.marks = new Marks(state);
    this.looks = new Looks(state, keys);
    this.heldRows = new HeldRows(state, keys, marks, looks);
    this.notes = new Notes(state, this, keys);
    this.parkedRows = new ParkedRows(state, heldRows, looks, marks, failures);
  }

  void onRows(List<OutboxRow> rows, SettlementScheduler settlements) {
    Map<RowRef, Entry> publishing = null;
    for (OutboxRow row : rows) {
      state.came(row);
      if (state.lanes.sends(row.lane())) {
        KeyQueue key = findOrCreate(row);
        if (publishing == null && key.maySettle(row)) {
          // Once for all rows: none is confirmed meanwhile.
          publishing = settlements.publishing();
        }
        Entry ending = publishing == null ? null : publishing.get(row.ref());
        // One that had another key would come back to that.
        boolean ends = ending != null && ending.key == key;
        onRow(row, key, ends ? ending : state.meanwhile.publishedSinceRead(row));
      }
    }
  }

  /**
   * Takes in a row.
   *
   * @param ending the entry of its number that is marked as published, or has been meanwhile
   */
  private void onRow(OutboxRow row, KeyQueue key, @Nullable Entry ending) {
    Entry known = key.known(row.ref());
    Entry taken = known == null && ending != null && ending.isOf(row) ? ending : known;
    if (key.isParkedAt(row.ref())) {
      // The reader returns it anew: somebody has set it back. While something of its key is
      // being written, it may be what was there before: then a look will tell.
      if (key.unsettled == 0) {
        parkedRows.takeBack(row, key, false);
        sender.pump(key);
      }
    } else if (taken != null && !taken.queued && taken.unsettled > 0) {
      // It comes to its end: this was read before that, or somebody set it back meanwhile.
      taken.returned(row);
    } else if (taken == null || !taken.queued) {
      key.returned(row.ref());
      onRow(row, key, taken != null);
    }
    // Else it is in memory, however often it is set back.
  }

  private void onRow(OutboxRow row, KeyQueue key, boolean doubtful) {
    Entry inMemory = doubtful || key.mayHave(row) ? key.find(row.ref()) : null;
    if (inMemory != null && inMemory.isOf(row)) {
      // Somebody gave it up and set it back, or removed the record that it is held.
      inMemory.held(false);
      key.takenBack(inMemory);
    } else if (doubtful) {
      Entry entry = new Entry(row, key, state.now);
      looks.doubt(entry);
      entry.displaced();
      accept(entry);
      // Also where its key is blocked: until then nobody knows whether it waits.
      looks.ask(key);
    } else if (key.holdsNewRows() || (sender.waitsForDestination(key) && sender.crowdsOut(1))) {
      heldRows.hold(row, key);
    } else {
      accept(new Entry(row, key, state.now));
    }
  }

  void onBacklog(Backlog backlog) {
    for (FailedRow failed : backlog.failed()) {
      if (state.lanes.sends(failed.row().lane())) {
        onFailedRow(failed);
        KeyQueue key = keys.of(failed.row());
        // A row that failed behind one whose mark was refused has no turn before that.
        parkedRows.holdBehind(key);
        keys.forget(key);
      }
    }
    backlog.orphaned().forEach(row -> state.settle.forgotten(row, state.now));
    backlog.held().stream()
        .filter(held -> state.lanes.sends(held.lane()))
        .forEach(heldRows::onHeldKey);
  }

  private void onFailedRow(FailedRow failed) {
    state.came(failed.row());
    KeyQueue key = keys.of(failed.row());
    if (failed.state() == RowState.PARKED) {
      parkedRows.park(failed.row().ref(), failed.unknownOutcome(), key);
    } else if (failed.state() == RowState.RETRY) {
      Entry entry = new Entry(failed.row(), key, state.now);
      entry.recorded(failed.attempts(), failed.unknownOutcome());
      state.budget.add(entry);
      key.append(entry);
      if (key.held > 0) {
        // An earlier one went back into the database before the page with this one came.
        heldRows.holdRest(key, key.cutUnsent());
      } else {
        failures.backOff(key, failed.delayMillis() * 1_000_000L);
        looks.watch(key);
      }
    }
  }

  /** All rows that a former owner left in these lanes have been read. */
  void onScanned(Set<Integer> lanes) {
    if (!lanes.isEmpty()) {
      keys.in(lanes).forEach(heldRows::offer);
    }
  }

  void onHeldRows(Collection<EventKey> asked, List<OutboxRow> rows, boolean more) {
    rows.forEach(state::came);
    List<Entry> entries = heldRows.onRead(rows, more);
    for (Entry entry : entries) {
      state.budget.add(entry);
      entry.key.append(entry);
    }
    // All rows of a key are in line before its first is sent, or has to go back.
    entries.forEach(entry -> sender.pump(entry.key));
    heldRows.afterRead(asked, rows, more);
  }

  /**
   * The row's key. Rows without one are told apart by their numbers: of an older row that had this
   * one's, which is gone, nothing stays.
   */
  KeyQueue findOrCreate(OutboxRow row) {
    KeyQueue key = keys.of(row);
    if (row.key() != null || !key.beginsWithOther(row)) {
      return key;
    }
    Entry old = key.head;
    if (old != null && old.recorded) {
      state.settle.forgotten(old.row.ref(), state.now);
    }
    abandon(key);
    return keys.anew(key);
  }

  void accept(Entry entry) {
    state.budget.add(entry);
    entry.key.append(entry);
    sender.pump(entry.key);
    keys.forget(entry.key);
  }

  /**
   * All outcomes are taken in before any key goes on: nothing is sent past a failure among them.
   */
  void onConfirmations(List<Confirmation> confirmations) {
    List<KeyQueue> touched = new ArrayList<>();
    for (Confirmation confirmation : confirmations) {
      Entry entry = sender.completed(confirmation.sendId());
      if (entry != null) {
        takeIn(entry, confirmation);
        if (!entry.key.touched) {
          entry.key.touched = true;
          touched.add(entry.key);
        }
      }
    }
    for (KeyQueue key : touched) {
      key.touched = false;
      advance(key);
    }
  }

  private void takeIn(Entry entry, Confirmation confirmation) {
    KeyQueue key = entry.key;
    key.home();
    state.lanes.addOutstanding(key.lane, -1);
    if (confirmation instanceof Confirmation.NotConfirmed failure) {
      entry.failed(failure, state.now);
      key.failed = true;
    } else {
      entry.confirmed(state.now);
    }
    destinations.outcome(entry, confirmation);
  }

  /** Accepts the confirmed prefix and, once nothing of the key is in flight, its failure. */
  void advance(KeyQueue key) {
    acceptPrefix(key);
    while (key.failed && key.inFlight == 0) {
      key.failed = false;
      Entry head = key.head;
      if (head != null && head.state == Entry.State.FAILED) {
        failures.decide(head, this);
        acceptPrefix(key);
        // A dead head lets what was sent behind it count, and that may have failed as well.
        key.failed = key.head != null && key.head.state == Entry.State.FAILED;
      }
    }
    parkedRows.holdBehind(key);
    sender.pump(key);
    keys.forget(key);
  }

  private void acceptPrefix(KeyQueue key) {
    for (Entry head = key.head;
        head != null && head.state == Entry.State.CONFIRMED;
        head = key.head) {
      key.removeHead();
      settlePublished(head);
    }
  }

  private void settlePublished(Entry entry) {
    if (entry.burying) {
      failures.buried(entry, this);
    } else if (entry.requestId != 0) {
      marks.replayed(entry);
      failures.answer(entry, true, "published again");
    } else {
      marks.published(entry);
    }
  }

  /** The change of this entry is durable. */
  void settled(Entry entry) {
    KeyQueue key = entry.key;
    entry.settled();
    state.lanes.addOutstanding(key.lane, -1);
    if (entry.unsettled > 0) {
      return;
    }
    if (!entry.queued) {
      state.budget.remove(entry);
      marks.tellPublished(entry);
    }
    if (entry.gaveUp) {
      entry.gaveUp();
      if (entry.state != Entry.State.REFUSED) {
        // What was known of it while it was held.
        key.pasts.remove(entry.row.ref());
        failures.dead(entry);
      }
      sender.pump(key);
    }
    OutboxRow again = entry.takeReturned();
    if (again != null && has(key) && !key.isParkedAt(again.ref())) {
      key.returned(again.ref());
      onRow(again, key, true);
    }
    if (key.unsettled == 0) {
      heldRows.offer(key);
      keys.forget(key);
    }
  }

  /** Whether the key is still one of this relay's, and not what is left of one. */
  boolean has(KeyQueue key) {
    return keys.find(key.key) == key && state.lanes.sends(key.lane);
  }

  /** The key if it is one of this relay's and does not rest. */
  @Nullable KeyQueue find(EventKey name, int lane) {
    return state.lanes.sends(lane) ? keys.find(name) : null;
  }

  /** The key if it is one of this relay's; it rests no longer. */
  @Nullable KeyQueue findOrWake(EventKey name, int lane) {
    return state.lanes.sends(lane) ? keys.known(name, lane) : null;
  }

  /** Drops what was not sent of lanes that are given up: their new owner reads it again. */
  void dropUnsent(Set<Integer> lanes) {
    keys.in(lanes).forEach(key -> heldRows.releaseAll(key.cutUnsent()));
  }

  void forgetLanes(Set<Integer> lanes) {
    keys.in(lanes).forEach(this::abandon);
    keys.removeLanes(lanes);
    heldRows.removeLanes(lanes);
  }

  private void abandon(KeyQueue key) {
    heldRows.releaseAll(key.head);
    failures.timers.cancel(key);
    destinations.release(key);
    key.abandon();
  }

  /** Whether a key waits for its next attempt. */
  boolean anyBacksOff() {
    return failures.timers.deadline() != Long.MAX_VALUE;
  }

  /** Forgets everything: another relay owns it now. Returns the number of rows in flight. */
  int reset() {
    int lost = sender.inFlight();
    keys.clear();
    sender.clear();
    heldRows.clear();
    looks.clear();
    notes.clear();
    failures.timers.clear();
    destinations.forgetKeys();
    return lost;
  }

  RelayEvent.Gauges gauges(int unsettled) {
    return keys.gauges(sender.inFlight(), unsettled);
  }
}
