package io.waybill.internal.relay;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowRef;
import java.util.HashMap;
import org.jspecify.annotations.Nullable;

/** One row in memory, on its way through the relay. */
final class Entry {
  enum State {
    /** Waits for its turn. */
    QUEUED,
    /** Handed to the publisher, no outcome yet. */
    IN_FLIGHT,
    /** Confirmed, waits for the rows before it. */
    CONFIRMED,
    /** Rejected or unknown; decided on when the key has nothing in flight. */
    FAILED,
    /** Out of line: the database refused what became of it. */
    REFUSED
  }

  OutboxRow row;
  final KeyQueue key;
  final long readNanos;
  // Kept, because the row itself is out of the processor's caches by the time it is settled.
  final int bytes;
  // When the table was last seen to say that the row waits.
  long seenNanos;
  @Nullable Entry next;
  State state = State.QUEUED;
  @Nullable Outgoing message;
  Confirmation.@Nullable NotConfirmed failure;
  // Its last send, if that was not confirmed, and since when none was, but for refusals of the row.
  Confirmation.@Nullable NotConfirmed unconfirmed;
  long unconfirmedSince;
  @Nullable Destination destination;
  // The destination's; empty as long as it is not known.
  String name = "";
  // The breaker that the send on its way went through, if its destination had one.
  @Nullable Breaker breaker;
  long confirmedNanos;
  int attempts;
  int unknowns;
  boolean unknownOutcome;
  // A failure or held record exists for the row, so that publishing it has to remove that too.
  boolean recorded;
  // It had been given up or parked, and has its place in the order of its key again.
  boolean triedAgain;
  // The copy for the dead-letter destination is on its way; once confirmed the row is dead.
  boolean burying;
  String buryReason = "";
  String buryDetail = "";
  // Where it was to go; its copy goes elsewhere.
  String buryName = "";
  // The operator's request that this copy or note answers, or 0.
  long requestId;
  // Given up where it waits in the database, behind others of its key.
  boolean behindOthers;
  @Nullable Destination deadLetter;
  // Whether the entry stands in its key's queue.
  boolean queued;
  // The row waits in the held table as well, until it is settled.
  boolean fromHeld;
  // Changes of this row that are not durable yet.
  int unsettled;
  // The row as the reader returned it while its end was not durable yet.
  @Nullable OutboxRow again;
  // It came, or stayed, without the rows that go before it: those are in the database.
  boolean displaced;
  // Given up; counted in its key until that is durable.
  boolean gaveUp;

  Entry(OutboxRow row, KeyQueue key, long readNanos) {
    this.row = row;
    this.bytes = row.sizeBytes();
    this.key = key;
    this.readNanos = readNanos;
    this.seenNanos = readNanos;
  }

  /** The row as the table has it now. */
  void reread(OutboxRow current, long now) {
    // The table may not know of the last sends yet.
    row = current.sends() < row.sends() ? current.sends(row.sends()) : current;
    message = null;
    seenNanos = now;
  }

  /** Whether it may have come to its end before it was read. */
  boolean isDoubtful() {
    return seenNanos < readNanos;
  }

  /** Where it would go, without its message. */
  void wouldGo(String destination) {
    name = destination;
  }

  /** Its message is known, and with it where it goes. */
  void mapped(Outgoing mapped) {
    message = mapped;
    destination = mapped.destination();
    name = destination.name();
  }

  /**
   * Its message is handed to the publisher, through the breaker of its destination if it has one.
   */
  void sent(@Nullable Breaker through) {
    state = State.IN_FLIGHT;
    message = null;
    breaker = through;
  }

  /** The send has an outcome. Returns the breaker that it went through. */
  @Nullable Breaker home() {
    Breaker through = breaker;
    breaker = null;
    return through;
  }

  void confirmed(long now) {
    state = State.CONFIRMED;
    confirmedNanos = now;
  }

  void failed(Confirmation.NotConfirmed why, long now) {
    state = State.FAILED;
    failure = why;
    if (unconfirmed == null || unconfirmed instanceof Confirmation.Rejected) {
      unconfirmedSince = now;
    }
    unconfirmed = why;
    if (!burying && !row.replay() && !(why instanceof Confirmation.NotSent)) {
      row = row.sends(row.sends() + 1);
    }
    // The broker may still store what was on the wire, whatever becomes of the rows before it.
    unknownOutcome |= why.copyPossible();
  }

  /** It has no message. */
  void unmapped() {
    state = State.FAILED;
  }

  void rejected() {
    attempts++;
  }

  void unanswered() {
    unknowns++;
  }

  /** What became of it can't be written. */
  void refused() {
    state = State.REFUSED;
  }

  void requeue() {
    state = State.QUEUED;
    message = null;
    failure = null;
  }

  /** The table said then that the row waits. */
  void seen(long nanos) {
    seenNanos = nanos;
  }

  /** The reader returned the row while its end was not durable yet. */
  void returned(OutboxRow row) {
    again = row;
  }

  /** The row as the reader returned it meanwhile; null if it did not. */
  @Nullable OutboxRow takeReturned() {
    OutboxRow returned = again;
    again = null;
    return returned;
  }

  /** Whether it stands for what becomes of the row; a replay changes nothing of it. */
  boolean changes(RowRef ref) {
    return !row.replay()
        && row.createdAtMicros() == ref.createdAtMicros()
        && row.rowId().equals(ref.rowId());
  }

  /** Whether the row is of the same event. */
  boolean isOf(OutboxRow other) {
    return row.eventId().equals(other.eventId());
  }

  /** Whether its row is published; a replay changes nothing of it. */
  boolean isPublished() {
    return state == State.CONFIRMED && !burying && !row.replay();
  }

  /** A change of it waits for its settlement. */
  void settling() {
    unsettled++;
    key.unsettled++;
  }

  /** A change of it is durable. */
  void settled() {
    unsettled--;
    key.unsettled--;
  }

  /** Until that is durable, what follows it in its key has to wait. */
  void givingUp() {
    gaveUp = true;
    if (key.givingUp.isEmpty()) {
      // Most keys never have one.
      key.givingUp = new HashMap<>(1);
    }
    key.givingUp.put(row.ref(), this);
  }

  /** What follows it need not wait for it any more. */
  void gaveUp() {
    gaveUp = false;
    key.givingUp.remove(row.ref(), this);
  }

  /** It is in its key's queue no longer. */
  void left() {
    queued = false;
  }

  /** Cuts off and returns what stands behind it. */
  @Nullable Entry cut() {
    Entry rest = next;
    next = null;
    return rest;
  }

  /** Rows that are held may have to go before it. */
  void displaced() {
    displaced = true;
  }

  /** Nothing that is held goes before it. */
  void inPlace() {
    displaced = false;
  }

  /** Whether its row is held as well. */
  void held(boolean isHeld) {
    fromHeld = isHeld;
    recorded |= isHeld;
  }

  /** The database has a record of the row. */
  void recorded() {
    recorded = true;
  }

  /** The database has a record of its attempts. */
  void recorded(int failedAttempts, boolean copyPossible) {
    attempts = failedAttempts;
    unknownOutcome = copyPossible;
    recorded = true;
  }

  /** An operator grants it all its attempts again. */
  void startOver() {
    recorded(0, unknownOutcome);
  }

  /** It was parked, or is set back without a record of it. */
  void setBack(boolean copyPossible, boolean isRecorded) {
    unknownOutcome = copyPossible;
    recorded = isRecorded;
    triedAgain = true;
  }

  /** It carries out an operator's request, and the request waits for it. */
  void carriesOut(long request) {
    requestId = request;
  }

  /** The operator has an answer. */
  void answered() {
    requestId = 0;
  }

  /** It is given up where it waits in the database. */
  void staysBehindOthers() {
    behindOthers = true;
  }

  /** It was held in the database, maybe after attempts. */
  void readBack(@Nullable Past past) {
    held(true);
    knows(past);
  }

  /** What became of its attempts before it was held; null if it had none. */
  void knows(@Nullable Past past) {
    if (past != null) {
      attempts = past.attempts();
      unknownOutcome = past.unknownOutcome();
      row = row.sends(Math.max(row.sends(), past.sends()));
    }
  }

  void giveUp(String reason, String detail) {
    buryName = burying ? buryName : name;
    buryReason = reason;
    buryDetail = detail;
  }

  /** It is given up once a copy of it is stored there. */
  void copyTo(Destination target) {
    burying = true;
    deadLetter = target;
  }

  /** No copy of it can be stored. */
  void notCopied() {
    burying = false;
  }
}
