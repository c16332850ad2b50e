package io.waybill.relay;

import io.waybill.message.EventKey;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one key in memory, in order: first those that were sent, then those that were not.
 */
final class KeyQueue {
  final EventKey key;
  final int lane;
  long timer;
  @Nullable Entry head;
  private @Nullable Entry tail;
  private @Nullable Entry unsent;
  int inFlight;
  // The name of the destination.
  String inFlightTo = "";
  int unsettled;
  // Rows given up and not yet durably so: what follows them has to wait, or a new owner would
  // publish them after it.
  int givingUp;
  // The earliest send that failed decides what happens next; nothing is sent until then.
  boolean failed;
  // The failed head waits for its next attempt.
  boolean backingOff;
  @Nullable Object parkedRowId;
  boolean parkedAfterUnknown;
  // Of held rows that had been tried. Without it, one that is refused and held in turn would have
  // its first attempt for ever.
  final Map<Object, Past> pasts = new HashMap<>(0);
  // An outcome just came in and is not acted on yet.
  boolean touched;
  long held;
  // Stands in a line: of keys that may send, or of a breaker.
  boolean ready;
  @Nullable Breaker waitsFor;
  // Its head was refused when there were too many breakers for one of its destination's own.
  @Nullable Breaker common;
  boolean waitsForHeld;

  /** What became of a row's attempts: definite rejections, and whether a copy may exist. */
  record Past(int attempts, boolean unknownOutcome) {}

  KeyQueue(EventKey key, int lane) {
    this.key = key;
    this.lane = lane;
  }

  void append(Entry entry) {
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
    if (tail == null) {
      tail = entry;
    }
    unsent = entry;
  }

  @Nullable Entry unsent() {
    return unsent;
  }

  void sent(Entry entry) {
    unsent = entry.next;
    inFlight++;
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

  /** The entry of a row, or null if it is not in memory. */
  @Nullable Entry find(Object rowId) {
    Entry entry = head;
    while (entry != null && !entry.row.rowId().equals(rowId)) {
      entry = entry.next;
    }
    return entry;
  }

  /** Cuts off everything behind the entry and returns the first of it. */
  @Nullable Entry cutAfter(Entry entry) {
    Entry rest = entry.next;
    entry.next = null;
    tail = entry;
    unsent = entry.state == Entry.State.QUEUED ? entry : null;
    return rest;
  }

  /** Cuts off everything that was not sent and returns the first of it. */
  @Nullable Entry cutUnsent() {
    Entry rest = unsent;
    if (rest == null) {
      return null;
    }
    if (rest == head) {
      head = null;
      tail = null;
    } else {
      Entry last = head;
      while (last != null && last.next != rest) {
        last = last.next;
      }
      if (last != null) {
        last.next = null;
        tail = last;
      }
    }
    unsent = null;
    return rest;
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
  }

  boolean parked() {
    return parkedRowId != null;
  }

  /** Whether nothing of the key's own stands in the way of its next send. */
  boolean mayMove() {
    return !failed && !backingOff && !parked() && !ready && givingUp == 0;
  }

  /** Whether rows that arrive now have to wait in the database. */
  boolean holdsNewRows() {
    return parked() || held > 0 || (backingOff && head != null && head.recorded);
  }

  boolean idle() {
    return head == null && inFlight == 0 && unsettled == 0 && held == 0 && !ready && !parked();
  }
}
