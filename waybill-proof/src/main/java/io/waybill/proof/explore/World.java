package io.waybill.proof.explore;

import io.waybill.internal.relay.Effect;
import io.waybill.proof.explore.State.Life;
import io.waybill.proof.explore.State.Mark;
import io.waybill.proof.explore.State.Place;
import io.waybill.proof.explore.State.Row;
import io.waybill.proof.explore.State.Send;
import io.waybill.proof.explore.Step.Answer;
import io.waybill.proof.explore.Step.Outcome;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What each choice does to a state. A broken promise is thrown. */
final class World {
  final Scope scope;
  final Rows rows;
  final EngineStates engines;
  final State.Values values = new State.Values();
  private final Database database;
  private final Wire wire;

  World(Scope scope) {
    this.scope = scope;
    this.rows = new Rows(scope.keys(), scope.lanes());
    this.engines = new EngineStates(scope, rows);
    this.database = new Database(scope, rows, values);
    this.wire = new Wire(scope, rows);
  }

  State start() {
    State state = new State(rows.count(), scope.lanes());
    for (int i = 0; i < state.rows.length; i++) {
      state.rows[i] = new Row();
      state.rows[i].life = scope.written() ? Life.DURABLE : Life.OPEN;
    }
    for (int i = 0; i < state.relays.length; i++) {
      state.relays[i] = new State.Relay();
      state.relays[i].generation = i;
      Arrays.fill(state.relays[i].calls, State.NO_CALL);
    }
    state.lastGeneration = state.relays.length - 1;
    return state;
  }

  /** The state after the choice; the one before is not changed. */
  State after(State before, Choice choice) {
    State state = before.copy();
    state.faults += choice.fault() ? 1 : 0;
    int item = choice.item();
    switch (choice.action()) {
      case COMMIT -> state.rows[item].life = Life.VISIBLE;
      case ROLL_BACK -> state.rows[item].life = Life.ROLLED_BACK;
      case TICK -> go(state, choice.relay(), new Step.Tick(ahead(state, choice.relay(), true)));
      case OWN, READ, SETTLE -> carryOut(state, choice);
      case ANSWER -> answer(state, choice.relay(), Line.at(item));
      case LOSE_CALL -> fail(state, choice.relay(), Line.at(item));
      case LOSE_ANSWER -> loseAnswer(state, choice.relay(), Line.at(item));
      case STORE -> wire.store(state, item, Place.STORED);
      case LAND -> wire.land(state, item);
      case CONFIRM, TELL -> tell(state, item);
      case REFUSE -> wire.refuse(state, item);
      case TIME_OUT -> wire.timeOut(state, item);
      case LOSE_CONFIRM -> wire.loseConfirm(state, item);
      case CRASH -> crash(state, choice.relay());
      case HAND_OVER -> handOver(state, choice.relay());
      case EXPIRE, FREEZE -> expire(state, choice);
      case END_SESSION -> endSession(state, choice);
      case CRASH_DATABASE -> crashDatabase(state);
    }
    return state;
  }

  private static long ahead(State state, int relay, boolean tick) {
    if (state.relays[relay].late) {
      return Scope.LEASE_NANOS;
    }
    return tick ? Scope.TICK_NANOS : 0;
  }

  /** The relay takes a step, and with it what it asks of the database that changes nothing. */
  private void go(State state, int number, Step step) {
    State.Relay relay = state.relays[number];
    EngineStates.Move move = engines.move(relay.engine, step);
    if (move.stopped()) {
      replace(state, number);
      return;
    }
    relay.engine = move.to();
    relay.late = false;
    wire.shift(state, number, move.shift());
    if (move.fenced()) {
      relay.fence = 0;
      wire.forget(state, number);
    }
    for (EngineStates.Sent sent : move.sent()) {
      wire.send(state, number, sent.row(), sent.behind());
    }
    for (Line line : Line.values()) {
      Effect.Call call = engines.asked(relay.engine, line);
      if (call != null && relay.calls[line.slot] == State.NO_CALL) {
        relay.calls[line.slot] = State.ASKED;
      }
    }
    prompt(state, number);
  }

  /**
   * Renewals and looks at operators' requests are carried out and answered at once. So are a look
   * and a read that find nothing new: had they been carried out later, the relay would have asked
   * later.
   */
  private void prompt(State state, int number) {
    State.Relay relay = state.relays[number];
    for (Line line : Line.values()) {
      Effect.Call call = engines.asked(relay.engine, line);
      if (call != null
          && relay.calls[line.slot] == State.ASKED
          && (call instanceof Effect.Renew
              || call instanceof Effect.ReadControl
              || database.findsNothingNew(state, relay, call))) {
        answered(state, number, line, database.carryOut(state, number, call));
        return;
      }
    }
  }

  private void answered(State state, int number, Line line, Answer answer) {
    state.relays[number].calls[line.slot] = State.NO_CALL;
    go(state, number, new Step.Answered(ahead(state, number, false), line, answer));
  }

  private void carryOut(State state, Choice choice) {
    if (choice.relay() < 0) {
      int call = state.lateCalls.remove(choice.item());
      database.carryOut(state, values.calls.value(call));
      return;
    }
    State.Relay relay = state.relays[choice.relay()];
    Line line = Line.at(choice.item());
    Effect.Call call = call(state, choice.relay(), line);
    Answer answer = database.carryOut(state, choice.relay(), call);
    relay.calls[line.slot] = values.answers.of(answer);
    if (choice.action() == Action.OWN && !scope.slowAnswers()) {
      answer(state, choice.relay(), line);
    }
    tidy(state);
  }

  private Effect.Call call(State state, int relay, Line line) {
    Effect.Call call = engines.asked(state.relays[relay].engine, line);
    if (call == null) {
      throw new IllegalStateException("no call on " + line);
    }
    return call;
  }

  private void answer(State state, int number, Line line) {
    State.Relay relay = state.relays[number];
    Answer answer = values.answers.value(relay.calls[line.slot]);
    if (answer instanceof Answer.Joined joined) {
      relay.fence = (int) joined.fence();
      relay.seen = 0;
    } else if (answer instanceof Answer.Viewed) {
      relay.seen = relay.calls[line.slot];
    } else if (answer instanceof Answer.Rows page
        && engines.asked(relay.engine, line) instanceof Effect.Read) {
      Database.returned(state, relay, page.result().rows());
    }
    answered(state, number, line, answer);
  }

  private void loseAnswer(State state, int number, Line line) {
    if (state.relays[number].calls[line.slot] == State.ASKED) {
      Answer answer = database.carryOut(state, number, call(state, number, line));
      state.relays[number].calls[line.slot] = values.answers.of(answer);
    }
    fail(state, number, line);
    tidy(state);
  }

  private void fail(State state, int number, Line line) {
    State.Relay relay = state.relays[number];
    int call = relay.calls[line.slot];
    if (call > State.ASKED && values.answers.value(call) instanceof Answer.Joined joined) {
      // Nobody knows of this session.
      state.held &= ~State.bit((int) joined.fence());
    }
    relay.calls[line.slot] = State.NO_CALL;
    go(state, number, new Step.Failed(ahead(state, number, false), line));
  }

  private void tell(State state, int item) {
    Send send = state.sends.get(item);
    wire.told(state, item);
    Row row = state.rows[send.row()];
    Outcome outcome = outcome(send.place());
    if (outcome == Outcome.CONFIRMED) {
      row.confirmedTo |= State.bit(send.fence());
    } else if (outcome == Outcome.UNKNOWN) {
      row.unknownTo |= State.bit(send.fence());
    }
    Outcome heard = heard(row, outcome);
    go(state, send.relay(), new Step.Told(ahead(state, send.relay(), false), send.behind(), heard));
  }

  private static Outcome outcome(Place place) {
    return switch (place) {
      case STORED -> Outcome.CONFIRMED;
      case REFUSED -> Outcome.REJECTED;
      default -> Outcome.UNKNOWN;
    };
  }

  /** What the engine hears under a faulty protocol. */
  private Outcome heard(Row row, Outcome outcome) {
    if (outcome == Outcome.CONFIRMED) {
      return outcome;
    }
    if (scope.protocol() == Protocol.INSERT_CLAIM_DELETED_ON_FAILURE) {
      row.claimed = false;
    }
    if (outcome == Outcome.UNKNOWN) {
      if (scope.protocol() == Protocol.UNKNOWN_COUNTS_AS_REJECTED) {
        return Outcome.REJECTED;
      }
      if (scope.protocol() == Protocol.PASSES_UNKNOWN) {
        row.passed = true;
        return Outcome.CONFIRMED;
      }
    }
    return outcome;
  }

  private void crash(State state, int number) {
    State.Relay relay = state.relays[number];
    state.excuse(number);
    for (Line line : Line.values()) {
      int call = relay.calls[line.slot];
      if (call == State.ASKED) {
        Effect.Call late = surviving(call(state, number, line));
        if (late != null) {
          state.lateCalls.add(values.calls.of(late));
        }
      } else if (call > 0 && values.answers.value(call) instanceof Answer.Joined joined) {
        state.held &= ~State.bit((int) joined.fence());
      }
    }
    replace(state, number);
  }

  private void handOver(State state, int number) {
    state.relays[number].leaving = true;
    go(state, number, new Step.HandOver(ahead(state, number, false)));
  }

  /** Another process starts in the place of one that has ended. */
  private void replace(State state, int number) {
    wire.forget(state, number);
    state.held &= ~State.bit(state.relays[number].fence);
    State.Relay fresh = new State.Relay();
    Arrays.fill(fresh.calls, State.NO_CALL);
    fresh.generation = ++state.lastGeneration;
    state.relays[number] = fresh;
    tidy(state);
  }

  /** What the database may still carry out of a relay that died. */
  private static Effect.@Nullable Call surviving(Effect.Call call) {
    if (call instanceof Effect.Settle settle) {
      return new Effect.Settle(0, settle.session(), settle.settlement());
    }
    return call instanceof Effect.OnLanes && !(call instanceof Effect.View) ? call : null;
  }

  /** What can make no difference any more is forgotten. */
  private void tidy(State state) {
    if (scope.protocol().fences()) {
      state.lateCalls.removeIf(
          call -> {
            long fence = fence(values.calls.value(call));
            return fence != 0 && !State.has(state.alive, (int) fence);
          });
      for (Row row : state.rows) {
        row.confirmedTo &= state.alive;
        row.unknownTo &= row.mark == Mark.PUBLISHED ? 0 : state.alive;
      }
    }
    int believed = state.held;
    for (State.Relay relay : state.relays) {
      believed |= State.bit(relay.fence);
    }
    state.frozen &= believed;
  }

  private static long fence(Effect.Call call) {
    if (call instanceof Effect.Settle settle) {
      return settle.session().fence();
    } else if (call instanceof Effect.Acquire acquire) {
      return acquire.session().fence();
    } else if (call instanceof Effect.Release release) {
      return release.session().fence();
    }
    return call instanceof Effect.Leave leave ? leave.session().fence() : 0;
  }

  private void expire(State state, Choice choice) {
    int session = State.bit(choice.item());
    if ((state.alive & session) != 0) {
      state.expired |= session;
    } else {
      quiet(state, choice.item());
    }
    if (choice.relay() >= 0) {
      boolean frozen = choice.action() == Action.FREEZE;
      state.relays[choice.relay()].late = !frozen;
      state.frozen |= frozen ? session : 0;
    }
  }

  /** No lane waits for messages of this former session any more. */
  private void quiet(State state, int fence) {
    wire.leaseOver(state, fence);
    for (int lane = 0; lane < state.unquiet.length; lane++) {
      state.unquiet[lane] &= ~State.bit(fence);
    }
  }

  private static void endSession(State state, Choice choice) {
    int session = State.bit(choice.item());
    state.ended |= session;
    state.frozen |= choice.relay() >= 0 ? session : 0;
  }

  private void crashDatabase(State state) {
    Database.crash(state);
    state.lateCalls.clear();
    for (int relay = 0; relay < state.relays.length; relay++) {
      for (Line line : Line.values()) {
        if (state.relays[relay].calls[line.slot] != State.NO_CALL) {
          fail(state, relay, line);
        }
      }
    }
  }
}
