package io.waybill.proof.sim.relay;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.internal.relay.Input;
import io.waybill.proof.sim.seed.Dice;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.RowState;
import java.util.List;

/** Schedules what goes wrong between the start of a run and its healing. */
final class FaultPlan {
  private static final List<Verb> FOR_PARKED = List.of(Verb.RETRY, Verb.SKIP, Verb.BURY);

  private final World world;
  private final Dice dice;
  private final long end;

  FaultPlan(World world, long end) {
    this.world = world;
    this.dice = world.dice;
    this.end = end;
  }

  void schedule() {
    Swarm swarm = world.swarm;
    sometimes(swarm.relay.crashAtEffect() > 0, 2, this::crashRelay);
    sometimes(swarm.relay.pauses(), 6, this::pauseRelay);
    sometimes(swarm.relay.stops(), 5, this::stopRelay);
    sometimes(swarm.lockEnds, 6, () -> world.anyRelay(world.locks::endConnection));
    sometimes(swarm.store.crashes(), 3, this::crashDatabase);
    sometimes(swarm.store.outages(), 3, () -> databaseOutage(dice.millis(50, 4_000)));
    sometimes(swarm.otherServers, 2, this::otherServer);
    sometimes(swarm.clockJumps, 6, this::jumpClock);
    sometimes(swarm.broker.outages(), 3, this::brokerOutage);
    sometimes(swarm.broker.destinationOutages(), 4, this::destinationOutage);
    sometimes(swarm.broker.destinationOutages() && !swarm.kafka, 2, this::goneAfterSilence);
    sometimes(swarm.broker.closes(), 6, this::closeChannels);
    sometimes(swarm.operators, 25, this::askSomething);
    sometimes(swarm.operators, 3, this::pauseDestination);
    sometimes(swarm.people.changes(), 20, this::changeByHand);
    sometimes(swarm.people.renumbers(), 2, this::renumber);
    sometimes(swarm.operators, 4, new SimOperators.SecondThoughts(world)::have);
    sometimes(swarm.operators, 2, () -> SimOperators.Job.begin(world));
    RefusalWatch watch = world.refusals;
    if (swarm.refusal != null && watch != null) {
      world.time.at(LongRefusal.BEGIN, watch::begin);
      world.time.at(swarm.refusal.end(), watch::end);
    }
  }

  private void sometimes(boolean on, int most, Runnable fault) {
    if (on) {
      for (int i = dice.between(1, most); i > 0; i--) {
        world.time.at(dice.micros(0, end / 1000), fault);
      }
    }
  }

  private void crashRelay() {
    world.anyRelay(relay -> world.crash(relay, "at any time"));
  }

  private void pauseRelay() {
    world.anyRelay(this::freeze);
  }

  void freeze(SimRelay relay) {
    if (!relay.paused()) {
      world.seen.trace.line(() -> relay.name + " is frozen");
      world.seen.fault(Fault.RELAY_FROZEN);
      relay.pause(dice.chance(0.5), dice.chance(0.4));
      world.disturb();
      world.time.after(dice.millis(100, 9_000), () -> thaw(relay));
    }
  }

  private void thaw(SimRelay relay) {
    world.seen.trace.line(() -> relay.name + " goes on");
    relay.resume();
  }

  private void stopRelay() {
    world.anyRelay(
        relay -> {
          if (!relay.stopping()) {
            if (relay.gauges().inFlightRows() > 0) {
              world.seen.rare(RareState.GRACEFUL_STOP_WITH_WORK);
            }
            world.seen.fault(Fault.RELAY_STOPPED);
            relay.post(dice.chance(0.5) ? Input.Signal.HAND_OVER : Input.Signal.STOP);
          }
        });
  }

  void crashDatabase() {
    if (world.database.up()) {
      world.seen.trace.line(() -> "database crashes");
      world.disturb();
      world.seen.fault(Fault.DATABASE_CRASHED);
      world.database.crash(dice);
      world.locks.serverEnded();
      databaseOutage(dice.millis(20, 1_500));
    }
  }

  private void databaseOutage(long nanos) {
    if (world.database.up()) {
      world.seen.trace.line(() -> "database is down for " + nanos / MS + " ms");
      world.disturb();
      world.seen.fault(Fault.DATABASE_DOWN);
      world.database.setUp(false);
      world.time.after(nanos, () -> world.database.setUp(true));
    }
  }

  /** What the database holds now is where it goes on from later. */
  private void otherServer() {
    boolean says = dice.chance(0.5);
    if (!says && dice.chance(0.5)) {
      // The server was stopped for the copy, and answers of renewals were lost.
      world.eachRelay(
          relay -> {
            Tenure tenure = relay.tenure;
            if (tenure != null) {
              world.sessions.renewUnanswered(tenure.known());
            }
          });
    }
    Snapshot then = Snapshot.of(world);
    world.time.after(dice.millis(100, 2_500), () -> replace(then, says));
  }

  private void replace(Snapshot then, boolean says) {
    if (world.healed() || !world.database.up() || !(says || then.isNoticed())) {
      return;
    }
    world.seen.trace.line(
        () -> says ? "another server answers" : "the database goes on from an earlier point");
    world.disturb();
    world.seen.fault(says ? Fault.SERVER_REPLACED : Fault.DATABASE_SET_BACK);
    then.restore(says);
    world.locks.serverEnded();
    databaseOutage(dice.millis(20, 1_500));
  }

  private void jumpClock() {
    long nanos = dice.between(-6_000, 6_000) * MS;
    world.seen.trace.line(() -> "database clock jumps " + nanos / MS + " ms");
    world.disturb();
    world.seen.fault(Fault.CLOCK_JUMPED);
    world.database.jumpClock(nanos);
  }

  private void brokerOutage() {
    if (!world.broker.up()) {
      return;
    }
    // An alarm: the broker says that it takes nothing, and keeps its connections.
    boolean blocks = dice.chance(0.2);
    boolean closes = !blocks && dice.chance(0.6);
    world.seen.trace.line(() -> blocks ? "broker is blocked" : "broker is down");
    world.seen.fault(blocks ? Fault.BROKER_BLOCKED : Fault.BROKER_DOWN);
    world.broker.setUp(false);
    world.eachRelay(
        relay -> {
          if (closes) {
            relay.publisher().close("connection-lost");
          }
          if (blocks || closes) {
            relay.post(Input.Signal.PUBLISHER_UNAVAILABLE);
          }
        });
    world.time.after(
        dice.millis(100, 6_000),
        () -> {
          world.seen.trace.line(() -> "broker is up");
          world.broker.setUp(true);
          world.eachRelay(relay -> relay.post(Input.Signal.PUBLISHER_AVAILABLE));
        });
  }

  private void destinationOutage() {
    String destination = dice.pick(world.swarm.destinations);
    boolean silent = dice.chance(0.5);
    Refusal why = dice.pick(Refusal.of(world.swarm.kafka));
    world.seen.trace.line(() -> destination + " " + (silent ? "is silent" : why.reason));
    world.seen.fault(Fault.DESTINATION_DOWN);
    if (silent) {
      world.broker.silent.add(destination);
    } else {
      world.broker.refuse(destination, why);
    }
    world.time.after(
        dice.millis(100, 5_000),
        () -> {
          world.seen.trace.line(() -> destination + " is well again");
          world.broker.repair(destination);
        });
  }

  /** All are silent for a while; the first that answers again closes its channel. */
  private void goneAfterSilence() {
    List<String> destinations = world.swarm.destinations;
    String gone = dice.pick(destinations);
    Refusal why = dice.pick(List.of(Refusal.EXCHANGE_MISSING, Refusal.ACCESS_REFUSED));
    world.seen.trace.line(() -> "all destinations are silent");
    world.seen.fault(Fault.DESTINATION_GONE_AFTER_SILENCE);
    world.broker.silent.addAll(destinations);
    world.time.after(
        dice.millis(2_000, 4_000),
        () -> {
          if (!world.healed()) {
            world.seen.trace.line(() -> gone + " " + why.reason);
            world.broker.repair(gone);
            world.broker.refuse(gone, why);
          }
        });
    world.time.after(
        dice.millis(5_000, 7_000),
        () -> {
          world.seen.trace.line(() -> "all destinations are well again");
          destinations.forEach(world.broker::repair);
        });
  }

  private void closeChannels() {
    world.anyRelay(
        relay -> {
          world.seen.fault(Fault.CONNECTION_LOST);
          relay.publisher().close("connection-reset");
        });
  }

  private void askSomething() {
    List<SimRow> rows = world.database.rows();
    if (rows.isEmpty() || !world.database.up()) {
      return;
    }
    List<SimRow> parked = rows.stream().filter(row -> row.in(RowState.PARKED)).toList();
    if (!parked.isEmpty() && dice.chance(0.5)) {
      world.requests.add(dice.pick(FOR_PARKED), dice.pick(parked));
      return;
    }
    SimRow row = dice.pick(rows);
    for (int i = 0; i < 10 && (row.published || row.waits()); i++) {
      row = dice.pick(rows);
    }
    if (row.life == SimRow.Life.COMMITTED && row.durable) {
      world.requests.add(dice.pick(List.of(Verb.values())), row);
    }
  }

  /** Somebody changes a row with SQL, whatever state it is in. */
  private void changeByHand() {
    List<SimRow> rows =
        world.database.rows().stream()
            .filter(row -> row.life == SimRow.Life.COMMITTED && row.durable && !row.published)
            .toList();
    if (rows.isEmpty() || !world.database.up()) {
      return;
    }
    List<SimRow> failed = rows.stream().filter(row -> row.failure != null).toList();
    SimRow row = dice.pick(failed.isEmpty() || dice.chance(0.4) ? rows : failed);
    world.seen.fault(Fault.CHANGED_BY_HAND);
    switch (dice.upTo(4)) {
      case 0 -> {
        world.seen.trace.line(() -> "somebody removes " + row);
        world.database.remove(row);
      }
      case 1 -> {
        world.seen.trace.line(() -> "somebody marks " + row);
        world.database.mark(row);
      }
      case 2 -> setBack(row);
      default -> {
        lock(row, dice.millis(100, 4_000));
        if (dice.chance(0.5)) {
          // What was sent meanwhile can't be marked as published yet.
          SimOperators.SecondThoughts somebody = new SimOperators.SecondThoughts(world);
          world.time.after(dice.millis(10, 1_500), () -> somebody.waver(row));
        }
      }
    }
  }

  void lock(SimRow row, long nanos) {
    world.seen.trace.line(() -> "somebody locks " + row);
    row.lockedUntil = world.database.clock() + nanos;
  }

  void setBack(SimRow row) {
    boolean dead = row.in(RowState.DEAD);
    if (dead || row.in(RowState.PARKED)) {
      world.seen.trace.line(() -> "somebody sets back " + row);
      world.seen.rare(dead ? RareState.DEAD_SET_BACK : RareState.PARKED_SET_BACK);
      world.database.setBack(row);
      if (dead) {
        world.eachRelay(relay -> relay.reader.setBack(row));
      }
    }
  }

  /** Somebody lets ids come again, with or without the rows of before. */
  private void renumber() {
    if (world.database.up()) {
      boolean empties = dice.chance(0.6);
      world.seen.trace.line(() -> empties ? "somebody empties the table" : "ids begin again");
      world.seen.fault(Fault.IDS_BEGAN_AGAIN);
      if (empties) {
        world.database.empty();
      } else {
        world.database.resetSequence();
      }
    }
  }

  private void pauseDestination() {
    pause(dice.pick(world.swarm.destinations));
  }

  void pause(String destination) {
    world.seen.trace.line(() -> destination + " is paused");
    world.database.paused.add(destination);
    world.time.after(dice.millis(500, 5_000), () -> world.database.paused.remove(destination));
  }
}
