package io.waybill.proof.sim.relay;

import io.waybill.message.EventKey;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One row of the outbox: what the database holds of it, and the truth that checks need. */
final class SimRow {
  static final String BY_HAND = "by-hand";

  enum Life {
    /** Written by a transaction that has not ended. */
    OPEN,
    /** Committed and visible. */
    COMMITTED,
    /** Rolled back, or its process died. */
    ROLLED_BACK,
    /** Committed, then forgotten by the database in a crash. */
    LOST,
    /** Committed, then removed by a person. */
    REMOVED,
    /** Committed, and not known to the server that answers now. */
    UNDONE
  }

  // Which event it is; ids come again where the database or its sequence was set back.
  final int number;
  final long id;
  final int lane;
  final @Nullable EventKey key;
  final String destination;
  final boolean poison;
  final boolean unmappable;
  // On the database clock, 0 if not delayed.
  final long availableAt;
  final OutboxRow row;

  Life life = Life.OPEN;
  boolean durable;
  long visibleAt;
  boolean published;
  boolean held;
  @Nullable FailedRow failure;
  long retryAt;
  // When its failure was recorded, on the database clock.
  long failedAt;
  // What the table's columns say of sends, and why the row waits.
  int shownSends;
  @Nullable FailedRow note;

  final List<SimSend> copies = new ArrayList<>(1);
  boolean delivered;
  boolean everDead;
  boolean wasHeld;
  boolean wasParked;
  int rejections;
  // Sends of which a relay was told that they were not confirmed, and when of the first.
  int vain;
  long firstVainAt;
  // Number of the last session when the database forgot the row: later ones never saw it.
  long undoneAt;
  // Number of the last session when the database had it again: earlier ones may not know.
  long backAt;
  // Number of the last session that was told an unknown outcome of a send of the row.
  long unknownTo;
  // Number of the last session that sent it, since it was last given up.
  long sentBy;
  // Number of the session that marked the row.
  long publishedBy;
  boolean deadLettered;
  boolean deadLetterRefused;
  int replaysAsked;
  int replaysDone;
  // The audit refused for a time to say what became of a request.
  boolean answerRefused;
  // An operator asked for something that may give it up or hold it.
  boolean operated;
  boolean retryAsked;
  // A person marked it as published, or set it back.
  boolean markedByHand;
  boolean setBack;
  // What somebody does when a relay has been shown that it is dead.
  @Nullable Runnable onceShown;
  // A trigger refuses every change of it; somebody holds a lock on it until then.
  boolean refusesChanges;
  long lockedUntil;

  SimRow(int number, OutboxRow row, Traits traits) {
    this.number = number;
    this.id = (Long) row.rowId();
    this.lane = row.lane();
    this.key = row.key();
    this.row = row;
    this.destination = traits.destination();
    this.poison = traits.poison();
    this.unmappable = traits.unmappable();
    this.availableAt = traits.availableAt();
  }

  /** What is special about an event. */
  record Traits(String destination, boolean poison, boolean unmappable, long availableAt) {}

  /** As a relay reads it. */
  OutboxRow read() {
    return shownSends == 0 ? row : row.sends(shownSends);
  }

  /** A transaction wrote it, and no crash has taken that back. */
  boolean wasCommitted() {
    return life == Life.COMMITTED || life == Life.REMOVED || life == Life.UNDONE;
  }

  boolean in(RowState state) {
    return failure != null && failure.state() == state;
  }

  /** The table itself says that it is dead, whatever else is recorded of it. */
  boolean isGivenUpByHand() {
    return failure != null && failure.reason().equals(BY_HAND);
  }

  /** Whether a relay was told that the broker has it. */
  boolean isConfirmed() {
    return copies.stream().anyMatch(copy -> copy.told == SimSend.Outcome.CONFIRMED);
  }

  /** Committed, and waits to be read. */
  boolean waits() {
    return life == Life.COMMITTED && !published && !held && failure == null;
  }

  @Override
  public String toString() {
    return "row "
        + id
        + (number == id ? "" : " (" + row.eventId() + ")")
        + " of "
        + key
        + " "
        + life
        + (published ? " published" : "")
        + (held ? " held" : "")
        + (failure == null ? "" : " " + failure.state() + "(" + failure.reason() + ")")
        + " lane "
        + lane
        + " to "
        + destination
        + " copies "
        + copies.size();
  }
}
