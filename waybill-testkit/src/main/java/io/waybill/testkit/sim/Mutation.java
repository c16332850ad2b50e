package io.waybill.testkit.sim;

import io.waybill.broker.Confirmation;
import io.waybill.message.Destination;
import io.waybill.relay.Effect;
import io.waybill.relay.EngineSettings;
import io.waybill.relay.Input;
import io.waybill.store.Backlog;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowLook;
import io.waybill.store.Session;
import java.util.Comparator;
import java.util.List;

/**
 * The world's honest behaviour at the places where planted bugs change it. The tests of the
 * simulation override one method each; a run with an unchanged instance is a real one.
 */
class Mutation {
  /** Whether the reader makes the rows of its snapshot durable before it returns them. */
  boolean flushesReads() {
    return true;
  }

  /** Whether a read looks for its session. */
  boolean fencesReads() {
    return true;
  }

  /** Whether a settlement looks for its session. */
  boolean checksFence() {
    return true;
  }

  /** Whether a session's lease is over, as the relay that looks sees it. */
  boolean expired(String looker, long until, long databaseClock) {
    return databaseClock - until > 0;
  }

  /** Whether a renewal finds no session that has ended. */
  boolean knowsEndedSessions() {
    return true;
  }

  /** Whether a call looks whose history its connection leads to, a fresh one or not. */
  boolean comparesHistory(Effect effect, boolean fresh) {
    return true;
  }

  /** Whether a session notices that the database has fewer of its renewals than it answered. */
  boolean countsRenewals() {
    return true;
  }

  /** Whether what is recorded of a row is told from what was of another one with its number. */
  boolean tellsNumbersApart() {
    return true;
  }

  /** Whether a read waits until a delayed event is due. */
  boolean waitsForDelays() {
    return true;
  }

  /** Whether a read returns no more than it was asked for. */
  boolean boundsReads() {
    return true;
  }

  /** The order in which a read returns rows. */
  Comparator<SimRow> order() {
    return Comparator.comparingLong(row -> row.id);
  }

  /** What a new owner is told of what the former one left. */
  Backlog backlog(Backlog left) {
    return left;
  }

  /** Whether a backlog is read to its end. */
  boolean pagesBacklogs() {
    return true;
  }

  /** Whether a confirmation names the message that it is about. */
  boolean confirmsByMessage() {
    return true;
  }

  /** Whether the reader may return this row. */
  boolean readable(SimRow row, long lastReturned) {
    return true;
  }

  /** Whether a failed read counts its rows as processed. */
  boolean readFailureIsDuplicate() {
    return false;
  }

  /** Whether a settlement that failed counts as done. */
  boolean swallowsSettleErrors() {
    return false;
  }

  /** Whether a returned message is refused. */
  boolean heedsReturns() {
    return true;
  }

  /** Whether a publisher holds back a key whose failure it has just reported. */
  boolean holdsKeysOfFailures() {
    return true;
  }

  /** The bounds under which an engine works. */
  EngineSettings settings(EngineSettings settings) {
    return settings;
  }

  /** The destination of messages, as an engine has it. */
  Destination destination(Swarm swarm, Destination destination) {
    return destination;
  }

  /** What the engine is told of an outcome. */
  Confirmation outcome(World world, SimSend send, Confirmation confirmation) {
    return confirmation;
  }

  /** What becomes of the engine's wishes on their way out. */
  List<Effect> effects(SimRelay relay, List<Effect> effects) {
    return effects;
  }

  /** What a look at a row shows. */
  RowLook look(RowLook look, OutboxRow row) {
    return look;
  }

  /** What the engine is told of a settlement that was refused because of a row. */
  Input refused(Input.Refused refused) {
    return refused;
  }

  /** Called when a reader returned rows, with the session that reads. */
  void returned(World world, List<SimRow> rows) {}

  /** Called for each committed settlement. */
  void settled(World world, Session session) {}

  /** Called about every 100 ms of virtual time. */
  void housekeeping(World world) {}
}
