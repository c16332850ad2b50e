package io.waybill.proof.sim.inbox;

import io.waybill.broker.Delivery;
import io.waybill.broker.Reach;
import io.waybill.internal.encode.Decoder;
import io.waybill.internal.inbox.HistoryStep;
import io.waybill.internal.inbox.InboxEffect;
import io.waybill.internal.inbox.ReceivedMessage;
import io.waybill.internal.inbox.attempt.Outcome;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.observe.InboxEvent;
import io.waybill.proof.sim.seed.Dice;
import io.waybill.store.RecordedProgress;
import java.util.List;

/**
 * The honest behaviour of the world around inboxes at the places where planted bugs change it. The
 * tests override one method each; a run with an unchanged instance is a real one.
 */
class InboxMutation {
  static final Decoder DECODER = new Decoder();

  /** Whether a first sight becomes visible with the transaction of the handler. */
  boolean claimsInTheSameTransaction() {
    return true;
  }

  /** Whether each consumer has a memory of its own. */
  boolean remembersPerConsumer() {
    return true;
  }

  /** Whether an event waits behind a deferred one of its key. */
  boolean waitsBehindDeferred() {
    return true;
  }

  /** Whether an event that is deferred again keeps its place in its key. */
  boolean keepsPlace() {
    return true;
  }

  /** Whether a deferred event is removed with the transaction of the handler. */
  boolean forgetsInTheSameTransaction() {
    return true;
  }

  /** Whether a start that has ended is noted. */
  boolean notesEnds() {
    return true;
  }

  /** Whether a commit that failed counts as failed. */
  boolean heedsCommitErrors() {
    return true;
  }

  /** Whether events that a shared transaction did not come to are taken back from it. */
  boolean takesBack() {
    return true;
  }

  /** Whether the end of a transaction by an error that a handler kept to itself is noticed. */
  boolean noticesVanished() {
    return true;
  }

  /** Whether events are marked before a statement that may commit their notes alone. */
  boolean marksBeforeStatements() {
    return true;
  }

  /** Whether a note is looked at for such a mark. */
  boolean looksForMarks() {
    return true;
  }

  /** Whether a commit asks for its marks, which another transaction may have taken. */
  boolean asksForItsMarks() {
    return true;
  }

  /** Whether no other handler is called after a statement that ended the transaction. */
  boolean stopsAfterStatements() {
    return true;
  }

  /** Whether an event that is given up stays so when its letter failed. */
  boolean keepsReasons() {
    return true;
  }

  /** What the broker delivers, as it is read. */
  ReceivedMessage read(Delivery delivery) {
    return new ReceivedMessage(delivery, DECODER.decode(delivery));
  }

  /** Whether several of those that may have killed the process are handled at a time. */
  boolean handlesSuspectsTogether() {
    return true;
  }

  /** What a worker is asked to do. */
  Work work(Work work) {
    return work;
  }

  /** What is told of work that has ended. */
  Outcome outcome(Work work, Outcome outcome) {
    return outcome;
  }

  /** Whether an event is noted as processed when its dead letter is confirmed. */
  boolean notesTheDead() {
    return true;
  }

  /** Whether only what lies before the first unacknowledged message is committed. */
  boolean commitsContiguously() {
    return true;
  }

  /** Whether a held lane delivers nothing. */
  boolean heedsHolds() {
    return true;
  }

  /** Whether a dead letter's outcome is awaited. */
  boolean awaitsLetters() {
    return true;
  }

  /** Whether only the first deferred event of a key is handed out. */
  boolean handsOutHeadsOnly() {
    return true;
  }

  /**
   * Where reading begins in a partition that was added.
   *
   * @param end how many messages it has by then
   */
  int beginsAdded(int end) {
    return 0;
  }

  /**
   * Where reading begins in a topic that was made anew.
   *
   * @param position the group's in the former one
   */
  int beginsAnew(int position) {
    return 0;
  }

  /** Whether what is acknowledged of a lane that is gone counts for nothing. */
  boolean ignoresLateAcknowledgements() {
    return true;
  }

  /** In how many of the runs with partitions the database fails over. */
  double failoverShare() {
    return 0.2;
  }

  /** What a process does after it has looked at its database. */
  List<HistoryStep> steps(List<HistoryStep> steps) {
    return steps;
  }

  /** What the database says of lanes. */
  RecordedProgress recordedProgress(RecordedProgress found) {
    return found;
  }

  /** How far a lane is, as its position is noted. */
  Reach noted(Reach reach) {
    return reach;
  }

  /** Whether the engine forgets lanes that are read again. */
  boolean forgetsLanes() {
    return true;
  }

  /** How long a handler may take before it is cut, in nanoseconds. */
  long handlerLimit() {
    return 100 * Dice.MS;
  }

  /** What the engine tells of messages that can't be finished. */
  List<InboxEvent.MessageStuck> stuck(List<InboxEvent.MessageStuck> stuck) {
    return stuck;
  }

  /** How long processed events are remembered, in nanoseconds. */
  long window() {
    return Long.MAX_VALUE;
  }

  /** What becomes of the engine's wishes on their way out. */
  List<InboxEffect> effects(List<InboxEffect> effects) {
    return effects;
  }
}
