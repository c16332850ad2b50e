package io.waybill.proof.explore;

import io.waybill.internal.relay.Effect;
import io.waybill.message.EventKey;
import io.waybill.proof.explore.State.Life;
import io.waybill.proof.explore.State.Mark;
import io.waybill.proof.explore.State.Row;
import io.waybill.proof.explore.Step.Answer;
import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.HeldKey;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OutboxRow;
import io.waybill.store.ReadResult;
import io.waybill.store.RowLook;
import io.waybill.store.RowRef;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Carries out calls on a state. Whatever writes makes what was committed before it durable. */
final class Database {
  private final Scope scope;
  private final Sessions sessions;
  private final Rows rows;
  private final State.Values values;

  Database(Scope scope, Rows rows, State.Values values) {
    this.scope = scope;
    this.sessions = new Sessions(scope);
    this.rows = rows;
    this.values = values;
  }

  /** Carries out the call of a relay. */
  Answer carryOut(State state, int relay, Effect.Call call) {
    if (call instanceof Effect.Join) {
      Answer.Joined joined = Sessions.join(state);
      state.held |= State.bit((int) joined.fence());
      return joined;
    } else if (call instanceof Effect.OnReader read) {
      return onReader(state, state.relays[relay], read);
    }
    return carryOut(state, call);
  }

  /** Carries out a call whose relay may be gone. */
  Answer carryOut(State state, Effect.Call call) {
    flush(state);
    if (call instanceof Effect.Settle settle) {
      return settle(state, settle.session(), settle.settlement());
    } else if (call instanceof Effect.Renew renew) {
      int fence = fence(renew.session());
      sessions.renew(state, fence, renew.report().leaving());
      return new Answer.Alive(State.has(state.alive, fence));
    } else if (call instanceof Effect.View view) {
      return new Answer.Viewed(sessions.view(state, fence(view.session())));
    } else if (call instanceof Effect.Acquire acquire) {
      return new Answer.Won(Sessions.acquire(state, fence(acquire.session()), acquire.lanes()));
    } else if (call instanceof Effect.Release release) {
      Sessions.release(state, fence(release.session()), release.lanes());
    } else if (call instanceof Effect.Leave leave) {
      Sessions.end(state, fence(leave.session()));
    } else if (call instanceof Effect.Join) {
      Sessions.join(state);
    }
    return new Answer.Done();
  }

  /**
   * Whether this is a look at the lanes or a read of events that changes nothing and finds nothing.
   */
  boolean findsNothingNew(State state, State.Relay relay, Effect.Call call) {
    if (call instanceof Effect.View view) {
      int fence = fence(view.session());
      boolean ends = (Sessions.gone(state) & ~State.bit(fence)) != 0;
      return !ends
          && relay.seen != 0
          && values
              .answers
              .value(relay.seen)
              .equals(new Answer.Viewed(sessions.view(state, fence)));
    }
    return call instanceof Effect.Read && !relay.unscanned && isEmpty(state, relay);
  }

  private boolean isEmpty(State state, State.Relay relay) {
    for (int i = 0; i < state.rows.length; i++) {
      boolean mine = State.has(relay.assigned, rows.lane(i)) && !State.has(relay.returned, i);
      if (state.rows[i].waits() && (mine || State.has(relay.window, i))) {
        return isFenced(state, relay);
      }
    }
    return true;
  }

  private static int fence(Session session) {
    return (int) session.fence();
  }

  static void flush(State state) {
    for (Row row : state.rows) {
      if (row.life == Life.VISIBLE) {
        row.life = Life.DURABLE;
      }
    }
  }

  /** What is not on disk is forgotten. */
  static void crash(State state) {
    for (int i = 0; i < state.rows.length; i++) {
      Row row = state.rows[i];
      if (row.life == Life.VISIBLE) {
        row.life = Life.FORGOTTEN;
        if (row.delivered) {
          throw new Broken("I5 no ghosts", "e" + i + " was published and then forgotten");
        }
      }
    }
    for (State.Relay relay : state.relays) {
      relay.window = 0;
    }
  }

  private Answer onReader(State state, State.Relay relay, Effect.OnReader call) {
    if (call instanceof Effect.Assign assign) {
      flush(state);
      return new Answer.Left(assign(state, relay, assign));
    } else if (call instanceof Effect.Revoke revoke) {
      for (int lane : revoke.lanes()) {
        relay.assigned &= ~State.bit(lane);
      }
      relay.window &= ~rowsIn(state, revoke.lanes());
      return new Answer.Done();
    } else if (call instanceof Effect.ReadHeld held) {
      return new Answer.Rows(readHeld(state, relay, held));
    } else if (call instanceof Effect.Read read) {
      return new Answer.Rows(read(state, relay, read));
    } else if (call instanceof Effect.Look look) {
      return new Answer.Looked(look.rows().stream().map(ref -> look(state, ref)).toList());
    }
    return new Answer.Done();
  }

  private static EventState state(Mark mark) {
    return switch (mark) {
      case WAITING -> EventState.PENDING;
      case HELD -> EventState.HELD;
      case RETRY -> EventState.RETRY;
      case PARKED -> EventState.PARKED;
      case DEAD -> EventState.DEAD;
      case PUBLISHED -> EventState.PUBLISHED;
    };
  }

  private RowLook look(State state, RowRef ref) {
    int index = (Integer) ref.rowId();
    return new RowLook(ref, rows.row(index), state(state.rows[index].mark));
  }

  private int rowsIn(State state, Set<Integer> lanes) {
    int found = 0;
    for (int i = 0; i < state.rows.length; i++) {
      if (lanes.contains(rows.lane(i))) {
        found |= State.bit(i);
      }
    }
    return found;
  }

  private Backlog assign(State state, State.Relay relay, Effect.Assign call) {
    relay.readsFor = fence(call.session());
    call.lanes().forEach(lane -> relay.assigned |= State.bit(lane));
    int theirs = rowsIn(state, call.lanes());
    relay.returned &= ~theirs;
    relay.window &= ~theirs;
    relay.unscanned = true;
    List<FailedRow> failed = new ArrayList<>();
    Map<EventKey, HeldKey> held = new LinkedHashMap<>();
    for (int i = 0; i < state.rows.length; i++) {
      Row row = state.rows[i];
      if (!State.has(theirs, i)) {
        continue;
      }
      if (row.mark == Mark.RETRY || row.mark == Mark.PARKED) {
        failed.add(values.failures.value(row.failure));
      } else if (row.mark == Mark.HELD) {
        HeldKey one = new HeldKey(HeldKey.nameOf(rows.row(i)), rows.lane(i), 1);
        held.merge(one.key(), one, (a, b) -> new HeldKey(a.key(), a.lane(), a.rows() + b.rows()));
      }
    }
    return new Backlog(failed, List.copyOf(held.values()));
  }

  private boolean isFenced(State state, State.Relay relay) {
    return scope.protocol().fences() && !State.has(state.alive, relay.readsFor);
  }

  private ReadResult read(State state, State.Relay relay, Effect.Read call) {
    if (isFenced(state, relay)) {
      return new ReadResult(List.of(), false);
    }
    if (relay.window == 0) {
      relay.unscanned = false;
      for (int i = 0; i < state.rows.length; i++) {
        Row row = state.rows[i];
        if (row.waits()
            && !row.claimed
            && !State.has(relay.returned, i)
            && State.has(relay.assigned, rows.lane(i))) {
          relay.window |= State.bit(i);
        }
      }
    }
    List<OutboxRow> page = new ArrayList<>();
    boolean more = relay.unscanned;
    for (int i = 0; i < state.rows.length; i++) {
      if (State.has(relay.window, i) && state.rows[i].waits() && !state.rows[i].claimed) {
        if (page.size() == call.maxRows()) {
          more = true;
          break;
        }
        page.add(rows.row(i));
      }
    }
    flush(state);
    if (scope.protocol().claims()) {
      page.forEach(row -> state.rows[Rows.index(row)].claimed = true);
    }
    return new ReadResult(page, more);
  }

  /** The reader has its rows: it does not return them again. */
  static void returned(State state, State.Relay relay, List<OutboxRow> page) {
    page.forEach(row -> relay.returned |= State.bit(Rows.index(row)));
    for (int i = 0; i < state.rows.length; i++) {
      if (!state.rows[i].waits() || State.has(relay.returned, i)) {
        relay.window &= ~State.bit(i);
      }
    }
  }

  private ReadResult readHeld(State state, State.Relay relay, Effect.ReadHeld call) {
    List<OutboxRow> page = new ArrayList<>();
    if (isFenced(state, relay)) {
      return new ReadResult(page, false);
    }
    Set<EventKey> wanted = new HashSet<>(call.keys());
    for (int i = 0; i < state.rows.length; i++) {
      OutboxRow row = rows.row(i);
      if (state.rows[i].mark == Mark.HELD
          && State.has(relay.assigned, rows.lane(i))
          && wanted.contains(HeldKey.nameOf(row))) {
        if (page.size() == call.maxRows()) {
          return new ReadResult(page, true);
        }
        page.add(row);
      }
    }
    return new ReadResult(page, false);
  }

  private Answer settle(State state, Session session, Settlement settlement) {
    int fence = fence(session);
    if (scope.protocol().fences() && !State.has(state.alive, fence)) {
      return new Answer.Alive(false);
    }
    settlement.published().forEach(row -> publish(state, row, fence));
    settlement.recovered().forEach(row -> publish(state, row, fence));
    for (FailedRow failed : settlement.failed()) {
      Row row = state.rows[Rows.index(failed.row())];
      if (failed.state() == RowState.DEAD && State.has(row.unknownTo, fence)) {
        throw new Broken("never past an unknown outcome", failed.row().eventId() + " is dead");
      }
      if (failed.state() == RowState.DEAD
          && state.unquiet[failed.row().lane()] != 0
          && scope.protocol().tellsQuiet()) {
        throw new Broken("given up when it is quiet", failed.row().eventId() + " is dead");
      }
      row.mark = mark(failed.state());
      row.failure = row.mark == Mark.DEAD ? 0 : values.failures.of(failed);
    }
    for (OutboxRow held : settlement.held()) {
      Row row = state.rows[Rows.index(held)];
      row.mark = Mark.HELD;
      row.failure = 0;
    }
    return new Answer.Alive(true);
  }

  private static Mark mark(RowState state) {
    return switch (state) {
      case RETRY -> Mark.RETRY;
      case PARKED -> Mark.PARKED;
      case DEAD -> Mark.DEAD;
    };
  }

  private static void publish(State state, OutboxRow published, int fence) {
    Row row = state.rows[Rows.index(published)];
    if (row.mark == Mark.PUBLISHED || row.passed) {
      return;
    }
    if (!State.has(row.confirmedTo, fence)) {
      throw new Broken(
          "I1 no false success", published.eventId() + " is marked, and no copy was confirmed");
    }
    row.mark = Mark.PUBLISHED;
    row.failure = 0;
    row.confirmedTo = 0;
  }
}
