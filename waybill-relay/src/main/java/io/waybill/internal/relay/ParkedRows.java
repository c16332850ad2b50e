package io.waybill.internal.relay;

import io.waybill.observe.RelayEvent;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowRef;
import io.waybill.store.RowState;
import io.waybill.store.Settlement;
import org.jspecify.annotations.Nullable;

/** Rows that wait for an operator, and what stands behind them in their keys. */
final class ParkedRows {
  private final EngineState state;
  private final HeldRows heldRows;
  private final Looks looks;
  private final Marks marks;
  private final Failures failures;

  ParkedRows(EngineState state, HeldRows heldRows, Looks looks, Marks marks, Failures failures) {
    this.state = state;
    this.heldRows = heldRows;
    this.looks = looks;
    this.marks = marks;
    this.failures = failures;
  }

  /** The row blocks its key. */
  void park(RowRef row, boolean copyPossible, KeyQueue key) {
    key.park(row, copyPossible);
    looks.watch(key);
  }

  /** What became of the row can't be written: it waits for an operator, and its key with it. */
  void setAside(Entry entry, Settlement change, String detail) {
    KeyQueue key = entry.key;
    boolean published = change.failed().isEmpty();
    boolean copyPossible = published || entry.unknownOutcome;
    String reason = published ? "mark-refused" : "note-refused";
    if (entry.queued) {
      key.remove(entry);
    }
    park(entry.row.ref(), copyPossible, key);
    holdBehind(key);
    marks.setAside(
        entry,
        new FailedRow(
            entry.row,
            RowState.PARKED,
            entry.attempts,
            copyPossible,
            0,
            reason,
            detail,
            entry.name));
    if (published || change.failed().get(0).state() != RowState.PARKED) {
      state.tell(new RelayEvent.Parked(failures.failure(entry, reason)));
    }
  }

  /**
   * A parked row waits again, before what waits behind it.
   *
   * @return null if another row of its key is parked: it is held then
   */
  @Nullable Entry takeBack(OutboxRow row, KeyQueue key, boolean recorded) {
    boolean copyPossible = key.unpark(row.ref());
    if (key.parked()) {
      heldRows.hold(row, key);
      return null;
    }
    Entry entry = entry(row, key, copyPossible, recorded);
    key.insert(entry);
    return entry;
  }

  /** A dead row waits again, before what comes after it and was not sent yet. */
  Entry revive(OutboxRow row, KeyQueue key) {
    Entry entry = entry(row, key, false, true);
    key.insert(entry);
    return entry;
  }

  /** A parked row of a key that has sent nothing goes before all others of it. */
  Entry putFirst(OutboxRow row, KeyQueue key) {
    Entry entry = entry(row, key, key.unpark(row.ref()), true);
    key.prepend(entry);
    return entry;
  }

  private Entry entry(OutboxRow row, KeyQueue key, boolean copyPossible, boolean recorded) {
    Entry entry = new Entry(row, key, state.now);
    entry.setBack(copyPossible, recorded);
    state.budget.add(entry);
    // Somebody may set it back meanwhile: the reader then returns what is in memory.
    key.takenBack(entry);
    return entry;
  }

  /** What is left in memory behind a parked row, once nothing of its key is on its way, is held. */
  void holdBehind(KeyQueue key) {
    Entry head = key.head;
    if (key.parked() && key.inFlight == 0 && head != null && !head.burying) {
      failures.timers.cancel(key);
      key.rewind();
      heldRows.holdRest(key, key.cutUnsent());
    }
  }
}
