package io.waybill.testkit.sim;

import io.waybill.relay.Effect;
import io.waybill.relay.Input;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.ReadResult;
import io.waybill.store.Session;
import java.util.TreeSet;

/** Carries a relay's calls to the database and the answers back, or loses them. */
final class SimCalls {
  private enum Fault {
    NONE,
    BEFORE,
    UNREPORTED
  }

  private static final int MAX_REQUESTS = 20;

  private final World world;
  private final SimRelay relay;
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
    long started = relay.clock().now();
    Fault fault = fault();
    if (effect instanceof Effect.Settle settle) {
      if (settle.id() == lastSettlement) {
        world.seen.rare.reached(RareState.SETTLEMENT_RETRIED);
      }
      lastSettlement = settle.id();
    }
    world.time.after(delay(), () -> arrive(effect, fault, started));
  }

  private Fault fault() {
    if (world.dice.chance(world.storeFaults().failBefore())) {
      return Fault.BEFORE;
    }
    return world.dice.chance(world.storeFaults().unreported()) ? Fault.UNREPORTED : Fault.NONE;
  }

  private long delay() {
    return world.dice.chance(world.storeFaults().slow())
        ? world.dice.millis(100, 4_000)
        : world.dice.micros(50, 1_500);
  }

  private void arrive(Effect effect, Fault fault, long started) {
    if (dead && world.dice.chance(0.5)) {
      return;
    }
    if (!world.database.up() || fault == Fault.BEFORE) {
      if (effect instanceof Effect.Settle settle && world.mutation.swallowsSettleErrors()) {
        relay.post(new Input.SettleDone(settle, new Settled(false, settle.settlement().size())));
        return;
      }
      world.time.after(world.dice.micros(50, 1_000), () -> relay.post(new Input.Failed(effect)));
      return;
    }
    int crashes = world.database.crashes();
    if (effect instanceof Effect.Read read) {
      SimReader.Page page = relay.reader.look(read.maxRows(), read.maxBytes());
      world.maybeCrashAfterLook(page);
      world.time.after(delay(), () -> finishRead(effect, page, crashes, fault));
      return;
    }
    Input answer = execute(effect, started);
    if (fault == Fault.UNREPORTED) {
      unreported(effect);
    }
    world.time.after(
        delay(),
        () ->
            relay.post(
                fault == Fault.UNREPORTED || crashes != world.database.crashes()
                    ? new Input.Failed(effect)
                    : answer));
  }

  private void unreported(Effect effect) {
    if (effect instanceof Effect.Settle) {
      world.seen.rare.reached(RareState.UNREPORTED_COMMIT);
    } else if (effect instanceof Effect.Join) {
      world.seen.rare.reached(RareState.UNREPORTED_JOIN);
    }
  }

  private void finishRead(Effect effect, SimReader.Page page, int crashes, Fault fault) {
    if (crashes != world.database.crashes()) {
      if (page.rows().stream().anyMatch(row -> row.life == SimRow.Life.LOST)) {
        world.seen.rare.reached(RareState.GHOST_AVERTED_BY_DURABLE_READ);
      }
      relay.reader.forgetWindow();
      relay.post(new Input.Failed(effect));
    } else if (fault == Fault.UNREPORTED) {
      if (world.mutation.readFailureIsDuplicate()) {
        relay.reader.markReturned(page);
      }
      relay.post(new Input.Failed(effect));
    } else {
      world.mutation.returned(world, page.rows());
      relay.post(new Input.RowsRead(relay.reader.finish(page)));
    }
  }

  private Input execute(Effect effect, long started) {
    if (effect instanceof Effect.Settle settle) {
      Session session = settle.session();
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
      return new Input.Assigned(assign.lanes(), reader.assign(assign.lanes()));
    } else if (effect instanceof Effect.Revoke revoke) {
      reader.revoke(revoke.lanes());
      return new Input.Revoked(revoke.lanes());
    } else if (effect instanceof Effect.ReadHeld held) {
      ReadResult result = reader.readHeld(held.keys(), held.maxRows(), held.maxBytes());
      if (!result.rows().isEmpty()) {
        world.seen.rare.reached(RareState.HELD_READ_BACK);
      }
      return new Input.HeldRead(held, result);
    }
    return new Input.ControlRead(
        world.requests.read(reader.assigned(), MAX_REQUESTS), new TreeSet<>(world.database.paused));
  }

  private Input executeLanes(Effect.OnLanes effect, long started) {
    SimSessions sessions = world.sessions;
    if (effect instanceof Effect.Join join) {
      return new Input.Joined(sessions.join(relay.name, join.lease()), started);
    } else if (effect instanceof Effect.Renew renew) {
      return new Input.Renewed(
          renew.session(), sessions.renew(renew.session(), renew.lease()), started);
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
      return new Input.Left(leave.session());
    }
    throw new IllegalStateException("unknown: " + effect);
  }
}
