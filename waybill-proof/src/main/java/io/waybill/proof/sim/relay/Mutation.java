package io.waybill.proof.sim.relay;

import io.waybill.broker.Confirmation;
import io.waybill.internal.relay.Effect;
import io.waybill.internal.relay.Input;
import io.waybill.message.Destination;
import io.waybill.policy.EngineSettings;
import io.waybill.store.Backlog;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowLook;
import io.waybill.store.Session;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The world's honest behaviour at the places where planted bugs change it. The tests of the
 * simulation override one method each, or name a rule that the world breaks; a run with an
 * unchanged instance is a real one.
 */
class Mutation {
  private final @Nullable Rule broken;

  Mutation() {
    this(null);
  }

  Mutation(@Nullable Rule broken) {
    this.broken = broken;
  }

  /** Whether the world keeps to a rule. */
  final boolean keeps(Rule rule) {
    return rule != broken;
  }

  /** Whether a session's lease is over, as the relay that looks sees it. */
  boolean expired(String looker, long until, long databaseClock) {
    return databaseClock - until > 0;
  }

  /** Whether a call looks whose history its connection leads to, a fresh one or not. */
  boolean comparesHistory(Effect effect, boolean fresh) {
    return true;
  }

  /** The order in which a read returns rows. */
  Comparator<SimRow> order() {
    return Comparator.comparingLong(row -> row.id);
  }

  /** What a new owner reads of the backlog that the former one left. */
  Backlog backlog(Backlog left) {
    return left;
  }

  /** Whether the reader may return this row. */
  boolean readable(SimRow row, long lastReturned) {
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

  /** The outcome that the engine receives. */
  Confirmation outcome(World world, SimSend send, Confirmation confirmation) {
    return confirmation;
  }

  /** What the engine takes in. */
  Input input(SimRelay relay, Input input) {
    return input;
  }

  /** What becomes of the engine's wishes on their way out. */
  List<Effect> effects(SimRelay relay, List<Effect> effects) {
    return effects;
  }

  /** What a look at a row shows. */
  RowLook look(RowLook look, OutboxRow row) {
    return look;
  }

  /** The answer that the engine receives to a settlement that was refused because of a row. */
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
