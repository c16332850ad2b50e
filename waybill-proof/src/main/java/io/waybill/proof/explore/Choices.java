package io.waybill.proof.explore;

import io.waybill.internal.relay.Effect;
import io.waybill.proof.explore.State.Life;
import io.waybill.proof.explore.State.Mark;
import io.waybill.proof.explore.State.Row;
import io.waybill.proof.explore.State.Send;
import io.waybill.proof.explore.Step.Answer;
import java.util.ArrayList;
import java.util.List;

/** What can happen next in a state. */
final class Choices {
  private final World world;
  private final Scope scope;
  private final Wire wire;

  Choices(World world) {
    this.world = world;
    this.scope = world.scope;
    this.wire = new Wire(world.scope, world.rows);
  }

  List<Choice> of(State state) {
    List<Choice> choices = new ArrayList<>();
    if (!scope.slowAnswers()) {
      ownership(state, choices);
    }
    if (choices.isEmpty()) {
      anything(state, choices);
    }
    choices.removeIf(
        choice ->
            choice.fault()
                && (state.faults >= scope.faults() || !scope.kinds().contains(choice.action())));
    return choices;
  }

  /** Calls about sessions and lanes that are not slow are carried out, or lost, before all else. */
  private void ownership(State state, List<Choice> choices) {
    for (int relay = 0; relay < state.relays.length && choices.isEmpty(); relay++) {
      for (Line line : List.of(Line.LANES, Line.READER)) {
        Effect.Call asked = world.engines.asked(state.relays[relay].engine, line);
        if (asked != null && action(asked) == Action.OWN && choices.isEmpty()) {
          choices.add(Choice.free(Action.OWN, relay, line.slot));
          choices.add(Choice.fault(Action.LOSE_CALL, relay, line.slot));
          choices.add(Choice.fault(Action.LOSE_ANSWER, relay, line.slot));
        }
      }
    }
  }

  private void anything(State state, List<Choice> choices) {
    producers(state, choices);
    for (int relay = 0; relay < state.relays.length; relay++) {
      if (world.engines.wakes(state.relays[relay].engine) && !waits(state.relays[relay])) {
        choices.add(Choice.free(Action.TICK, relay, 0));
      }
      calls(state, relay, choices);
      if (state.relays[relay].engine != EngineStates.NEW) {
        choices.add(Choice.fault(Action.CRASH, relay, 0));
        if (!state.relays[relay].leaving) {
          choices.add(Choice.fault(Action.HAND_OVER, relay, 0));
        }
      }
    }
    for (int i = 0; i < state.lateCalls.size(); i++) {
      choices.add(Choice.free(action(world.values.calls.value(state.lateCalls.get(i))), -1, i));
    }
    for (int i = 0; i < state.sends.size(); i++) {
      send(state, i, choices);
    }
    sessions(state, choices);
    if (!scope.written()) {
      choices.add(Choice.fault(Action.CRASH_DATABASE, -1, 0));
    }
  }

  /** Transactions that write events of one key end in their order: its row is locked. */
  private void producers(State state, List<Choice> choices) {
    for (int i = 0; i < state.rows.length; i++) {
      if (state.rows[i].life == Life.OPEN && !hasOpenBefore(state, i)) {
        choices.add(Choice.free(Action.COMMIT, -1, i));
        choices.add(Choice.free(Action.ROLL_BACK, -1, i));
      }
    }
  }

  private boolean hasOpenBefore(State state, int row) {
    for (int i = 0; i < row; i++) {
      if (state.rows[i].life == Life.OPEN && world.rows.key(i) == world.rows.key(row)) {
        return true;
      }
    }
    return false;
  }

  /** Time passes for a relay while nothing but outcomes and settlements is under way. */
  private static boolean waits(State.Relay relay) {
    return relay.calls[Line.LANES.slot] != State.NO_CALL
        || relay.calls[Line.READER.slot] != State.NO_CALL;
  }

  private void calls(State state, int relay, List<Choice> choices) {
    for (Line line : Line.values()) {
      int call = state.relays[relay].calls[line.slot];
      Effect.Call asked = world.engines.asked(state.relays[relay].engine, line);
      if (call == State.NO_CALL || asked == null) {
        continue;
      }
      if (call == State.ASKED) {
        choices.add(Choice.free(action(asked), relay, line.slot));
        choices.add(Choice.fault(Action.LOSE_CALL, relay, line.slot));
      } else {
        choices.add(Choice.free(Action.ANSWER, relay, line.slot));
        choices.add(Choice.fault(Action.LOSE_ANSWER, relay, line.slot));
      }
    }
  }

  private static Action action(Effect.Call call) {
    if (call instanceof Effect.Settle) {
      return Action.SETTLE;
    }
    return call instanceof Effect.Read || call instanceof Effect.ReadHeld
        ? Action.READ
        : Action.OWN;
  }

  private void send(State state, int item, List<Choice> choices) {
    Send send = state.sends.get(item);
    switch (send.place()) {
      case WIRE -> {
        boolean next = wire.isNext(state, item);
        if (next) {
          choices.add(Choice.free(Action.STORE, send.relay(), item));
          choices.add(Choice.fault(Action.TIME_OUT, send.relay(), item));
        }
        if (next || wire.isLast(state, item)) {
          choices.add(Choice.fault(Action.REFUSE, send.relay(), item));
        }
      }
      case STORED -> {
        if (wire.isNextToConfirm(state, item)) {
          choices.add(Choice.free(Action.CONFIRM, send.relay(), item));
          choices.add(
              Choice.fault(
                  scope.pipelined() ? Action.TIME_OUT : Action.LOSE_CONFIRM, send.relay(), item));
        }
      }
      case LATE -> land(state, item, choices);
      case FAILED_ON_WIRE -> {
        land(state, item, choices);
        tell(state, item, choices);
      }
      case FAILED, REFUSED -> tell(state, item, choices);
    }
  }

  private void land(State state, int item, List<Choice> choices) {
    if (wire.isNext(state, item)) {
      choices.add(Choice.free(Action.LAND, state.sends.get(item).relay(), item));
    }
  }

  private void tell(State state, int item, List<Choice> choices) {
    if (wire.isNextToTell(state, item)) {
      choices.add(Choice.free(Action.TELL, state.sends.get(item).relay(), item));
    }
  }

  private void sessions(State state, List<Choice> choices) {
    for (int fence = 1; fence <= state.lastFence; fence++) {
      if (State.has(state.alive & ~Sessions.gone(state), fence)) {
        session(state, fence, choices);
      } else if (State.has(state.unquiet() & ~state.alive, fence) && Wire.isOver(state, fence)) {
        choices.add(Choice.free(Action.EXPIRE, believer(state, fence), fence));
      }
    }
  }

  /** A session that nobody holds ends; that of a living relay only by a fault. */
  private void session(State state, int fence, List<Choice> choices) {
    if (State.has(state.held, fence)) {
      int relay = holder(state, fence);
      if (state.unquiet() == 0) {
        // The leases of former sessions began before: they end first.
        choices.add(Choice.fault(Action.EXPIRE, relay, fence));
      }
      choices.add(Choice.fault(Action.FREEZE, relay, fence));
      choices.add(Choice.fault(Action.END_SESSION, relay, fence));
      return;
    }
    choices.add(Choice.free(Action.EXPIRE, -1, fence));
    if (scope.locks()) {
      choices.add(Choice.free(Action.END_SESSION, -1, fence));
    }
  }

  /** The relay that has not found out that its session ended, or -1. */
  private static int believer(State state, int fence) {
    for (int relay = 0; relay < state.relays.length; relay++) {
      if (state.relays[relay].fence == fence) {
        return relay;
      }
    }
    return -1;
  }

  private int holder(State state, int fence) {
    for (int relay = 0; relay < state.relays.length; relay++) {
      int call = state.relays[relay].calls[Line.LANES.slot];
      boolean joining =
          call > State.ASKED
              && world.values.answers.value(call) instanceof Answer.Joined joined
              && joined.fence() == fence;
      if (joining || state.relays[relay].fence == fence) {
        return relay;
      }
    }
    throw new IllegalStateException("nobody holds session " + fence);
  }

  /** Whether every event has come to its end. */
  boolean atRest(State state) {
    for (int i = 0; i < state.rows.length; i++) {
      Row row = state.rows[i];
      boolean ended = row.life == Life.ROLLED_BACK || row.life == Life.FORGOTTEN;
      ended |= row.mark == Mark.PUBLISHED || row.mark == Mark.PARKED || row.mark == Mark.DEAD;
      if (!ended && !(row.mark == Mark.HELD && isBehindParked(state, i))) {
        return false;
      }
    }
    return true;
  }

  private boolean isBehindParked(State state, int row) {
    for (int i = 0; i < state.rows.length; i++) {
      if (state.rows[i].mark == Mark.PARKED && world.rows.key(i) == world.rows.key(row)) {
        return true;
      }
    }
    return false;
  }

  String describe(State state, Choice choice) {
    StringBuilder text = new StringBuilder(choice.action().specified());
    if (choice.relay() >= 0) {
      text.append(" of relay ").append((char) ('A' + choice.relay()));
    }
    switch (choice.action()) {
      case STORE, LAND, CONFIRM, TELL, REFUSE, TIME_OUT, LOSE_CONFIRM -> {
        Send send = state.sends.get(choice.item());
        text.append(": e").append(send.row()).append(" of session ").append(send.fence());
      }
      case OWN, READ, SETTLE, ANSWER, LOSE_CALL, LOSE_ANSWER ->
          text.append(": ").append(call(state, choice));
      case COMMIT, ROLL_BACK -> text.append(": e").append(choice.item());
      case EXPIRE, FREEZE, END_SESSION -> text.append(": session ").append(choice.item());
      default -> {}
    }
    return choice.fault() ? text + " (fault)" : text.toString();
  }

  private String call(State state, Choice choice) {
    if (choice.relay() < 0) {
      return "late " + Text.of(world.values.calls.value(state.lateCalls.get(choice.item())));
    }
    State.Relay relay = state.relays[choice.relay()];
    Effect.Call call = world.engines.asked(relay.engine, Line.at(choice.item()));
    int answer = relay.calls[choice.item()];
    return Text.of(call)
        + (answer > State.ASKED ? " -> " + Text.of(world.values.answers.value(answer)) : "");
  }
}
