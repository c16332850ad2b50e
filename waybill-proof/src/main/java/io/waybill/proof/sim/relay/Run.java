package io.waybill.proof.sim.relay;

import static io.waybill.proof.sim.seed.Dice.MS;
import static java.util.Comparator.naturalOrder;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.waybill.internal.relay.Input;
import io.waybill.proof.sim.seed.Violation;
import io.waybill.store.RowState;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One run: load and faults, then healing, quiescence, a graceful end, and the last checks. */
final class Run {
  private static final long CALM_BOUND = World.seconds(60);
  private static final long STOP_BOUND = World.seconds(20);

  private final World world;

  Run(World world) {
    this.world = world;
  }

  void play() {
    long end = world.swarm.load + 2_000 * MS;
    new Producing(world).schedule();
    new FaultPlan(world, end).schedule();
    world.restartMissing();
    while (world.time.now() < end) {
      world.time.runUntil(world.time.now() + 100 * MS);
      world.mutation.housekeeping(world);
      if (world.dice.chance(0.1)) {
        world.restartMissing();
      }
    }
    world.heal();
    calmDown();
    if (world.refusals != null) {
      world.refusals.checkRest();
    }
    stopAll();
    checkEvents();
  }

  private void calmDown() {
    long bound = world.time.now() + CALM_BOUND;
    String busy = "not looked";
    while (world.time.now() < bound) {
      world.restartMissing();
      world.time.runUntil(world.time.now() + 200 * MS);
      world.mutation.housekeeping(world);
      busy = busy();
      if (busy.isEmpty()) {
        return;
      }
    }
    throw new Violation("convergence", busy);
  }

  /** What keeps the world from being at rest, or nothing. */
  private String busy() {
    if (!world.requests.isEmpty()) {
      return "open requests " + world.requests;
    }
    Set<Object> parkedKeys = new HashSet<>();
    for (SimRow row : world.database.rows()) {
      if (row.life == SimRow.Life.COMMITTED
          && !row.published
          && row.in(RowState.PARKED)
          && row.key != null) {
        parkedKeys.add(row.key);
      }
    }
    for (SimRow row : world.database.rows()) {
      boolean open = row.life == SimRow.Life.COMMITTED && !row.published;
      boolean given = row.in(RowState.DEAD) || row.in(RowState.PARKED);
      boolean behind = row.key != null && parkedKeys.contains(row.key) && row.held;
      if (open && !given && !behind) {
        return "waiting " + row;
      }
    }
    return busyRelays();
  }

  private String busyRelays() {
    int share = (world.swarm.lanes + world.swarm.relays - 1) / world.swarm.relays;
    int owned = 0;
    for (SimRelay relay : world.relays()) {
      var gauges = relay.gauges();
      if (gauges.inFlightBytes() != 0
          || gauges.inFlightRows() != 0
          || gauges.unsettledRows() != 0) {
        return "memory of " + relay.name + " " + gauges;
      }
      if (gauges.lanesOwned() > share) {
        return "more than its share of lanes in " + relay.name + " " + gauges;
      }
      Tenure tenure = relay.tenure;
      if (tenure == null || !world.sessions.holds(tenure.session)) {
        return relay.name + " has no session";
      }
      owned += world.sessions.lanesOf(tenure.fence());
    }
    if (owned != world.swarm.lanes) {
      return owned + " of " + world.swarm.lanes + " lanes owned";
    }
    return world.sessions.count() == world.swarm.relays ? "" : world.sessions.count() + " sessions";
  }

  private void stopAll() {
    Input.Signal how = world.dice.chance(0.5) ? Input.Signal.HAND_OVER : Input.Signal.STOP;
    world.eachRelay(relay -> relay.post(how));
    long bound = world.time.now() + STOP_BOUND;
    while (world.relays().stream().anyMatch(SimRelay::runs)) {
      world.time.runUntil(world.time.now() + 100 * MS);
      if (world.time.now() > bound) {
        throw new Violation("graceful stop", "still running after 20 s");
      }
    }
    // A relay that died earlier may have joined just now: its call was under way for seconds.
    for (SimRelay relay : world.relays()) {
      if (world.sessions.has(relay.name)) {
        throw new Violation("graceful stop", "a session of " + relay.name + " is left");
      }
    }
  }

  private void checkEvents() {
    for (SimRow row : world.database.rows()) {
      if (row.life == SimRow.Life.COMMITTED) {
        checkCopies(row, false, 1);
        checkCopies(row, true, row.answerRefused ? row.replaysAsked : row.replaysDone);
        if (row.published && !row.delivered && !row.markedByHand) {
          throw new Violation("I2 nothing is lost", row.toString());
        }
        if (row.failure != null && !row.failure.row().eventId().equals(row.row.eventId())) {
          throw new Violation("I2 nothing is lost", "given up for another: " + row);
        }
      }
    }
  }

  private static void checkCopies(SimRow row, boolean replay, int most) {
    if (row.refusesChanges || row.setBack) {
      // It was published and could not be marked, or a person asked for it again.
      return;
    }
    List<SimSend> unexcused =
        row.copies.stream().filter(c -> c.replay == replay && !excused(row, c)).toList();
    if (mostOfOne(unexcused, replay && row.answerRefused) > most) {
      throw new Violation("I4 every duplicate has a cause", row + " " + unexcused);
    }
  }

  /**
   * The next owner of a lane finds requests open whose answer the audit refused. It may carry them
   * out again, or answer otherwise.
   */
  private static long mostOfOne(List<SimSend> copies, boolean eachForItself) {
    return copies.stream()
        .collect(groupingBy(copy -> eachForItself ? copy.tenure.number() : 0, counting()))
        .values()
        .stream()
        .max(naturalOrder())
        .orElse(0L);
  }

  /** Whether a fault kept the sender from knowing or marking that this copy was stored. */
  private static boolean excused(SimRow row, SimSend copy) {
    if (copy.told == SimSend.Outcome.UNKNOWN) {
      return true;
    }
    return copy.tenure.cut && (copy.replay || row.publishedBy != copy.tenure.number());
  }
}
