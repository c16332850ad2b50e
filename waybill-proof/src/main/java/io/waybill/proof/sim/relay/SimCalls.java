package io.waybill.proof.sim.relay;

import io.waybill.internal.relay.Effect;
import io.waybill.internal.relay.Input;
import io.waybill.proof.sim.seed.Violation;
import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.ReadResult;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Carries a relay's calls to the database and the answers back, or loses them. */
final class SimCalls {
  private enum Fate {
    ANSWERED,
    FAILED,
    UNREPORTED
  }

  /** The connections of a relay. */
  private enum Line {
    LANES,
    READER,
    STORE
  }

  /** A connection, and how often it was looked at where it leads. */
  private record Connection(int opened, int looks) {}

  private static final int MAX_REQUESTS = 20;
  private static final int LOOKS = 2;

  private final World world;
  private final SimRelay relay;
  private final Map<Line, Connection> connections = new EnumMap<>(Line.class);
  private final Set<Line> busy = EnumSet.noneOf(Line.class);
  // By the number of the session: renewals that were answered.
  private final Map<Long, Long> renewals = new HashMap<>();
  private boolean dead;
  private long lastSettlement;

  SimCalls(World world, SimRelay relay) {
    this.world = world;
    this.relay = relay;
  }

  void die() {
    dead = true;
  }

  void call(Effect effect) {
    // The real relay would carry it out after the other; the engine is built to never ask for that.
    if (!busy.add(lineOf(effect))) {
      throw new Violation("one call at a time", Describe.effect(effect) + " of " + relay.name);
    }
    long started = relay.clock().now();
    Fate fate = fate();
    boolean alive = false;
    if (effect instanceof Effect.Settle settle) {
      if (settle.id() == lastSettlement) {
        world.seen.rare(RareState.SETTLEMENT_RETRIED);
      }
      lastSettlement = settle.id();
      alive = world.sessions.alive(settle.session());
    }
    boolean wasAlive = alive;
    world.time.after(
        delay(),
        () -> {
          if (wasAlive) {
            noticeLostLease(effect);
          }
          arrive(effect, fate, started);
        });
  }

  private void noticeLostLease(Effect effect) {
    if (effect instanceof Effect.Settle settle && !world.sessions.alive(settle.session())) {
      world.seen.rare(RareState.LEASE_LOST_WITH_SETTLEMENT_UNDER_WAY);
    }
  }

  private static Line lineOf(Effect effect) {
    if (effect instanceof Effect.Settle) {
      return Line.STORE;
    }
    return effect instanceof Effect.OnReader ? Line.READER : Line.LANES;
  }

  private void answer(Effect effect, Input answer) {
    busy.remove(lineOf(effect));
    if (answer instanceof Input.Renewed renewed && renewed.alive()) {
      Session session = renewed.session();
      renewals.merge(session.joinedMicros(), world.sessions.answered(session), Math::max);
    }
    relay.post(answer);
  }

  private Fate fate() {
    if (world.dice.chance(world.storeFaults().failBefore())) {
      world.seen.fault(Fault.CALL_FAILED);
      return Fate.FAILED;
    }
    if (world.dice.chance(world.storeFaults().unreported())) {
      world.seen.fault(Fault.CALL_UNREPORTED);
      return Fate.UNREPORTED;
    }
    return Fate.ANSWERED;
  }

  private long delay() {
    if (world.dice.chance(world.storeFaults().slow())) {
      world.seen.fault(Fault.CALL_SLOW);
      return world.dice.millis(100, 4_000);
    }
    return world.dice.micros(50, 1_500);
  }

  private void arrive(Effect effect, Fate fate, long started) {
    if (dead && world.dice.chance(0.5)) {
      return;
    }
    if (!dead && relay.wire().holdsBack(() -> arrive(effect, fate, started))) {
      return;
    }
    if (!world.database.up() || fate == Fate.FAILED) {
      if (effect instanceof Effect.Settle settle
          && !world.mutation.keeps(Rule.HEEDS_SETTLE_ERRORS)) {
        answer(
            effect, new Input.SettleDone(settle, new Settled(false, settle.settlement().size())));
        return;
      }
      world.time.after(
          world.dice.micros(50, 1_000), () -> answer(effect, new Input.Failed(effect)));
      return;
    }
    if (effect instanceof Effect.Reading reading) {
      relay.reader.renewed(reading.session());
    }
    Session session = sessionOf(effect);
    if (session != null && leadsElsewhere(effect, session)) {
      kept(effect);
      world.time.after(delay(), () -> answer(effect, new Input.SessionLost(effect, session)));
      return;
    }
    int crashes = world.database.crashes();
    if (effect instanceof Effect.Read read) {
      SimReader.Page page = relay.reader.look(read.maxRows(), read.maxBytes());
      world.maybeCrashAfterLook(page);
      world.time.after(delay(), () -> finishRead(effect, page, crashes, fate));
      return;
    }
    Input answer = execute(effect, started);
    if (fate == Fate.UNREPORTED) {
      unreported(effect, answer);
    }
    world.time.after(
        delay(),
        () ->
            answer(
                effect,
                fate == Fate.UNREPORTED || crashes != world.database.crashes()
                    ? new Input.Failed(effect)
                    : answer));
  }

  private @Nullable Session sessionOf(Effect effect) {
    if (effect instanceof Effect.Settle settle) {
      return settle.session();
    } else if (effect instanceof Effect.Assign assign) {
      return assign.session();
    } else if (effect instanceof Effect.OnReader) {
      return effect instanceof Effect.Revoke ? null : relay.reader.session();
    } else if (effect instanceof Effect.Renew renew) {
      return renew.session();
    } else if (effect instanceof Effect.View view) {
      return view.session();
    } else if (effect instanceof Effect.Acquire acquire) {
      return acquire.session();
    } else if (effect instanceof Effect.Release release) {
      return release.session();
    }
    return effect instanceof Effect.Leave leave ? leave.session() : null;
  }

  /**
   * Whose history is it, and does it hold what was written? A new connection is looked at with its
   * first two calls.
   */
  private boolean leadsElsewhere(Effect effect, Session session) {
    Connection connection = connections.get(lineOf(effect));
    if (connection == null || connection.opened() != world.database.crashes()) {
      connection = new Connection(world.database.crashes(), 0);
    }
    if (world.mutation.comparesHistory(effect, connection.looks() == 0)
        && (!session.history().equals(world.database.history())
            || (connection.looks() < LOOKS && world.sessions.lacks(known(session))))) {
      return true;
    }
    boolean stands = world.sessions.alive(session);
    connections.put(
        lineOf(effect), new Connection(connection.opened(), connection.looks() + (stands ? 1 : 0)));
    return false;
  }

  /** With the renewals that were answered since the call left. */
  private Session known(Session session) {
    long answered = renewals.getOrDefault(session.joinedMicros(), 0L);
    return new Session(
        session.fence(),
        session.relay(),
        session.history(),
        session.joinedMicros(),
        Math.max(answered, session.renewals()));
  }

  private void kept(Effect effect) {
    if (effect instanceof Effect.Settle) {
      world.seen.rare(RareState.SETTLEMENT_KEPT_FROM_ANOTHER_HISTORY);
    } else if (effect instanceof Effect.OnReader) {
      world.seen.rare(RareState.READ_KEPT_FROM_ANOTHER_HISTORY);
    }
  }

  private void unreported(Effect effect, Input answer) {
    if (effect instanceof Effect.Settle) {
      world.seen.rare(RareState.UNREPORTED_COMMIT);
    } else if (effect instanceof Effect.Join) {
      world.seen.rare(RareState.UNREPORTED_JOIN);
    } else if (answer instanceof Input.Acquired acquired && !acquired.lanes().isEmpty()) {
      world.seen.rare(RareState.UNREPORTED_ACQUIRE);
    } else if (effect instanceof Effect.Release) {
      world.seen.rare(RareState.UNREPORTED_RELEASE);
    }
  }

  private void finishRead(Effect effect, SimReader.Page page, int crashes, Fate fate) {
    if (crashes != world.database.crashes()) {
      if (page.rows().stream().anyMatch(row -> row.life == SimRow.Life.LOST)) {
        world.seen.rare(RareState.GHOST_AVERTED_BY_DURABLE_READ);
      }
      relay.reader.forgetWindow();
      answer(effect, new Input.Failed(effect));
    } else if (fate == Fate.UNREPORTED) {
      if (!world.mutation.keeps(Rule.HEEDS_READ_ERRORS)) {
        relay.reader.markReturned(page);
      }
      answer(effect, new Input.Failed(effect));
    } else {
      world.mutation.returned(world, page.rows());
      answer(effect, new Input.RowsRead(relay.reader.finish(page)));
    }
  }

  private Input execute(Effect effect, long started) {
    if (effect instanceof Effect.Settle settle) {
      Session session = settle.session();
      Input.Refused refused = world.settling.refused(settle);
      if (refused != null) {
        return world.mutation.refused(refused);
      }
      Input answer =
          new Input.SettleDone(settle, world.settling.settle(session, settle.settlement()));
      world.mutation.settled(world, session);
      return answer;
    } else if (effect instanceof Effect.OnReader onReader) {
      return executeRead(onReader);
    } else if (effect instanceof Effect.OnLanes onLanes) {
      return executeLanes(onLanes, started);
    }
    throw new IllegalStateException("not for the database: " + effect);
  }

  private Input executeRead(Effect.OnReader effect) {
    SimReader reader = relay.reader;
    if (effect instanceof Effect.Assign assign) {
      Backlog backlog = reader.assign(assign.session(), assign.lanes());
      takenOver(backlog);
      return new Input.Assigned(assign.lanes(), backlog);
    } else if (effect instanceof Effect.Revoke revoke) {
      reader.revoke(revoke.lanes());
      return new Input.Revoked(revoke.lanes());
    } else if (effect instanceof Effect.ReadHeld held) {
      ReadResult result = reader.readHeld(held.keys(), held.maxRows(), held.maxBytes());
      if (!result.rows().isEmpty()) {
        world.seen.rare(RareState.HELD_READ_BACK);
      }
      return new Input.HeldRead(held, result);
    }
    if (effect instanceof Effect.Look look) {
      world.seen.rare(RareState.LOOKED_AGAIN);
      return new Input.Looked(look, reader.look(look.rows(), world.requests));
    }
    return new Input.ControlRead(
        world.requests.read(reader.assigned(), MAX_REQUESTS), new TreeSet<>(world.database.paused));
  }

  private void takenOver(Backlog backlog) {
    for (FailedRow failed : backlog.failed()) {
      world.seen.rare(
          failed.state() == RowState.PARKED
              ? RareState.PARKED_TAKEN_OVER
              : RareState.RETRY_TAKEN_OVER);
    }
    if (!backlog.held().isEmpty()) {
      world.seen.rare(RareState.HELD_TAKEN_OVER);
    }
  }

  private Input executeLanes(Effect.OnLanes effect, long started) {
    SimSessions sessions = world.sessions;
    if (effect instanceof Effect.Join join) {
      Session joined = sessions.join(relay.name, join.lease());
      world.locks.hold(relay, joined);
      return new Input.Joined(joined, started);
    } else if (effect instanceof Effect.Renew renew) {
      return new Input.Renewed(
          renew.session(),
          sessions.renew(known(renew.session()), renew.lease(), renew.report()),
          started);
    } else if (effect instanceof Effect.View view) {
      return new Input.Viewed(view.session(), sessions.view(view.session()));
    } else if (effect instanceof Effect.Acquire acquire) {
      return new Input.Acquired(
          acquire.session(), sessions.acquire(acquire.session(), acquire.lanes()));
    } else if (effect instanceof Effect.Release release) {
      sessions.release(release.session(), release.lanes());
      return new Input.Released(release.session(), release.lanes());
    } else if (effect instanceof Effect.Leave leave) {
      sessions.leave(leave.session());
      world.locks.letGo(relay);
      return new Input.Left(leave.session());
    }
    throw new IllegalStateException("unknown: " + effect);
  }
}
