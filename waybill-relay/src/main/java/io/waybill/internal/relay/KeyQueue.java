package io.waybill.internal.relay;

import io.waybill.message.EventKey;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowRef;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one key in memory, in order: first those that were sent, then those that were not.
 */
final class KeyQueue {
  /** In place of the number of held rows; a read that finds no more says how many there were. */
  static final long UNCOUNTED = 1L << 40;

  final EventKey key;
  final int lane;
  long timer;
  // When the timer ends.
  long timerDue;
  @Nullable Entry head;
  private @Nullable Entry tail;
  private @Nullable Entry unsent;
  int inFlight;
  // The name of the destination.
  String inFlightTo = "";
  int unsettled;
  // Rows given up and not yet durably so: what follows them has to wait, or a new owner would
  // publish them after it.
  Map<RowRef, Entry> givingUp = Map.of();
  // The earliest send that failed decides what happens next; nothing is sent until then.
  boolean failed;
  // The failed head waits for its next attempt.
  boolean backingOff;
  private @Nullable Parked parked;
  private @Nullable Map<RowRef, Entry> takenBack;
  // Of held rows that had been tried. Without it, one that is refused and held in turn would have
  // its first attempt for ever.
  final Map<RowRef, Past> pasts = new HashMap<>(0);
  // The highest number of a row since the queue was empty, and since nothing was unsettled either.
  private long newest;
  private long newestUnsettled;
  // An outcome just came in and is not acted on yet.
  boolean touched;
  long held;
  // Stands in a line: of keys that may send, or of a breaker.
  boolean ready;
  @Nullable Breaker waitsFor;
  // Its head was refused when there were too many breakers for one of its destination's own.
  @Nullable Breaker common;
  // Since then it has been refused, and nothing else, as far as is known.
  long refusedSince = Long.MIN_VALUE;
  // Its held rows are to be read.
  boolean offered;

  /**
   * A parked row. A key has more than one if settlements of several of its rows were refused, or if
   * somebody parked another one with SQL.
   *
   * @param afterUnknown whether a copy may exist
   */
  record Parked(RowRef row, boolean afterUnknown, @Nullable Parked next) {}

  KeyQueue(EventKey key, int lane) {
    this.key = key;
    this.lane = lane;
  }

  void append(Entry entry) {
    if (entry.row.rowId() instanceof Long id) {
      newest = head == null ? id : Math.max(newest, id);
      newestUnsettled = head == null && unsettled == 0 ? id : Math.max(newestUnsettled, id);
    }
    entry.queued = true;
    if (tail == null) {
      head = entry;
    } else {
      tail.next = entry;
    }
    tail = entry;
    if (unsent == null) {
      unsent = entry;
    }
  }

  void prepend(Entry entry) {
    entry.queued = true;
    entry.next = head;
    head = entry;
    tail = tail == null ? entry : tail;
    unsent = entry;
  }

  @Nullable Entry unsent() {
    return unsent;
  }

  void sent(Entry entry) {
    unsent = entry.next;
    inFlight++;
    inFlightTo = entry.name;
  }

  /** A send of it has an outcome. */
  void home() {
    inFlight--;
  }

  /** Stands in the line of a breaker. */
  void waitFor(Breaker breaker) {
    ready = true;
    waitsFor = breaker;
  }

  void waitNoMore() {
    ready = false;
    waitsFor = null;
  }

  /** Its head waits for its next attempt, until this timer or before it. */
  void backOff(long number, long due) {
    backingOff = true;
    timer = number;
    timerDue = due;
  }

  void goOn() {
    backingOff = false;
    timer = 0;
  }

  Entry removeHead() {
    Entry first = head;
    if (first == null) {
      throw new IllegalStateException("empty key " + key);
    }
    head = first.next;
    first.next = null;
    first.queued = false;
    if (head == null) {
      tail = null;
    }
    if (unsent == first) {
      unsent = head;
    }
    return first;
  }

  /** Whether a row may stand in the queue already. Ids in no order count as new. */
  boolean mayHave(OutboxRow row) {
    return head != null && row.rowId() instanceof Long id && id <= newest;
  }

  /** Whether a change of a row may not be durable yet. Ids in no order count as known. */
  boolean maySettle(OutboxRow row) {
    return unsettled > 0 && !(row.rowId() instanceof Long id && id > newestUnsettled);
  }

  /** The entry with which a row waits, no replay of it; null if it is not in memory. */
  @Nullable Entry find(RowRef row) {
    Entry entry = head;
    while (entry != null && !entry.changes(row)) {
      entry = entry.next;
    }
    return entry;
  }

  /** Whether its first row in memory is of another event than this one. */
  boolean beginsWithOther(OutboxRow row) {
    return head != null && !head.isOf(row);
  }

  /** Cuts off everything behind the entry, of which nothing was sent, and returns the first. */
  @Nullable Entry cutAfter(Entry entry) {
    return entry.next == null ? null : cutFrom(entry.next);
  }

  /** Cuts off everything that was not sent and returns the first of it. */
  @Nullable Entry cutUnsent() {
    return unsent == null ? null : cutFrom(unsent);
  }

  /** Cuts off an entry that was not sent and everything behind it, and returns it. */
  Entry cutFrom(Entry first) {
    Entry last = null;
    for (Entry one = head; one != null && one != first; one = one.next) {
      last = one;
    }
    tail = last;
    if (last == null) {
      head = null;
    } else {
      last.next = null;
    }
    if (unsent == first) {
      unsent = null;
    }
    return first;
  }

  /** Puts every entry back to unsent, from the head on. */
  void rewind() {
    for (Entry entry = head; entry != null; entry = entry.next) {
      entry.requeue();
    }
    unsent = head;
  }

  /** Empties the queue of a lane that was given up, for whoever still refers to it. */
  void abandon() {
    head = null;
    tail = null;
    unsent = null;
    failed = false;
    held = 0;
    parked = null;
  }

  boolean parked() {
    return parked != null;
  }

  @Nullable Parked firstParked() {
    return parked;
  }

  void park(RowRef row, boolean afterUnknown) {
    unpark(row);
    parked = new Parked(row, afterUnknown, parked);
  }

  boolean isParkedAt(RowRef row) {
    Parked found = parked;
    while (found != null && !found.row().equals(row)) {
      found = found.next();
    }
    return found != null;
  }

  /** Returns whether a copy of the row may exist. */
  boolean unpark(RowRef row) {
    Parked kept = null;
    boolean afterUnknown = false;
    for (Parked one = parked; one != null; one = one.next()) {
      if (one.row().equals(row)) {
        afterUnknown = one.afterUnknown();
      } else {
        kept = new Parked(one.row(), one.afterUnknown(), kept);
      }
    }
    parked = kept;
    return afterUnknown;
  }

  /** Puts a row that is tried again behind the last one that goes before it. */
  void insert(Entry entry) {
    Entry before = Turns.lastBefore(entry.row, this);
    if (before == null) {
      prepend(entry);
      return;
    }
    entry.queued = true;
    entry.next = before.next;
    before.next = entry;
    tail = tail == before ? entry : tail;
    // Whatever stands before it was sent.
    unsent = unsent == entry.next ? entry : unsent;
  }

  /** A row that somebody set back is in memory: the reader may return it as well. */
  void takenBack(Entry entry) {
    Map<RowRef, Entry> known = takenBack == null ? new HashMap<>(1) : takenBack;
    known.put(entry.row.ref(), entry);
    takenBack = known;
  }

  /** The entry of a row that was taken back, or is about to be given up; null if there is none. */
  @Nullable Entry known(RowRef row) {
    Entry ending = givingUp.get(row);
    return ending != null || takenBack == null ? ending : takenBack.get(row);
  }

  /** The reader has returned the row that was taken back. */
  void returned(RowRef row) {
    if (takenBack != null) {
      takenBack.remove(row);
    }
  }

  /** Takes an entry out that was not sent. */
  void remove(Entry entry) {
    Entry before = null;
    for (Entry one = head; one != null && one != entry; one = one.next) {
      before = one;
    }
    if (before == null) {
      removeHead();
      return;
    }
    before.next = entry.next;
    if (tail == entry) {
      tail = before;
    }
    if (unsent == entry) {
      unsent = entry.next;
    }
    entry.next = null;
    entry.queued = false;
  }

  /** Its destination has no breaker of its own. */
  void refusedInCommon(Breaker breaker, boolean refusal, long now) {
    if (common != breaker || !refusal || refusedSince == Long.MIN_VALUE) {
      refusedSince = now;
    }
    common = breaker;
  }

  /** Whether nothing of the key's own stands in the way of its next send. */
  boolean mayMove() {
    boolean buries = head != null && head.burying;
    return !failed && !backingOff && (!parked() || buries) && !ready && givingUp.isEmpty();
  }

  /** Whether rows that arrive now have to wait in the database. */
  boolean holdsNewRows() {
    return parked() || held > 0 || (backingOff && head != null && head.recorded);
  }

  /** Whether nothing of it is in memory, and what blocks it can be told in a few bytes. */
  boolean mayRest() {
    boolean still =
        head == null && inFlight == 0 && unsettled == 0 && givingUp.isEmpty() && !backingOff;
    boolean plain =
        pasts.values().stream().noneMatch(Past::counts)
            && (takenBack == null || takenBack.isEmpty());
    boolean waits = waitsFor != null && common == (waitsFor.common ? waitsFor : null);
    boolean alone = !ready && common == null;
    Parked row = parked;
    return still
        && plain
        && !failed
        && (row == null ? held > 0 && !offered && (waits || alone) : alone && row.next() == null);
  }

  boolean idle() {
    return head == null && inFlight == 0 && unsettled == 0 && held == 0 && !ready && !parked();
  }
}
