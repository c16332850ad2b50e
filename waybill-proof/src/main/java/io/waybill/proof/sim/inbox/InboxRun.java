package io.waybill.proof.sim.inbox;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.proof.sim.seed.Dice;
import io.waybill.proof.sim.seed.Violation;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** One run: load and faults, then healing, quiescence, a graceful end, and the last checks. */
final class InboxRun {
  private static final long CALM_BOUND = 60_000 * MS;
  private static final long STOP_BOUND = 5_000 * MS;

  private final InboxWorld world;

  InboxRun(InboxWorld world) {
    this.world = world;
  }

  void play() {
    long lasts = world.swarm.lasting.keys() > 0 ? 2 * InboxSwarm.LASTING_BOUND : 0;
    long end = world.swarm.load + 500 * MS + lasts;
    world.restartMissing();
    new InboxLoad(world).schedule();
    while (world.time.now() < end) {
      world.time.runUntil(world.time.now() + 20 * MS);
      trouble();
      if (world.dice.chance(0.3)) {
        world.restartMissing();
      }
    }
    world.consumers.forEach(this::checkTold);
    world.heal();
    world.standby.wake();
    calmDown();
    if (world.swarm.restarts) {
      restart();
      calmDown();
    }
    stopAll();
    checkEvents();
  }

  private void trouble() {
    Dice dice = world.dice;
    InboxLane lane = dice.pick(world.lanes);
    if (world.strikes(world.swarm.broker.revokes() ? 0.15 : 0)) {
      lane.revoke();
    }
    if (world.strikes(world.swarm.broker.loses() ? 0.08 : 0)) {
      lane.lose();
    }
    if (world.strikes(world.swarm.broker.rewrites() ? 0.06 : 0)) {
      rewrite(lane);
    }
    world.standby.trouble();
    List<InboxProcess> processes = world.processes();
    InboxProcess process = dice.pick(processes);
    if (world.strikes(world.swarm.faults.freezes() ? 0.05 : 0) && process.takesLanes()) {
      process.freeze(dice.millis(20, 700));
    }
    if (!world.healed() && world.swarm.stops && dice.chance(0.03)) {
      world.fault(InboxFault.PROCESS_STOPPED);
      process.askToStop();
    }
    if (world.strikes(world.swarm.faults.databaseDown() ? 0.02 : 0) && world.tables.up()) {
      world.fault(InboxFault.DATABASE_DOWN);
      world.tables.setUp(false);
      world.time.after(dice.millis(5, 400), () -> world.tables.setUp(true));
    }
  }

  private void rewrite(InboxLane lane) {
    // A queue is there or not; it has no positions.
    if (world.standby.on) {
      // What a database has of a history that is gone is another matter.
      lane.forgetPosition();
      return;
    }
    switch (world.swarm.kafka ? world.dice.upTo(3) : 1) {
      case 0 -> lane.loseEnd();
      case 1 -> lane.replace();
      default -> lane.forgetPosition();
    }
  }

  /** What can't be finished, and nothing else, is told as long as nobody has seen to it. */
  private void checkTold(String consumer) {
    if (world.swarm.lasting.keys() == 0) {
      return;
    }
    Set<String> told =
        world.processes().stream()
            .filter(process -> process.consumer.equals(consumer))
            .flatMap(process -> process.stuck().stream())
            .map(stuck -> stuck.about().eventId())
            .collect(Collectors.toSet());
    boolean any = !told.isEmpty();
    List<InboxMessage> waiting =
        world.messages.stream()
            .filter(m -> !world.swarm.isSpared(m.key))
            .filter(m -> !world.ledger.entry(consumer, m).settled())
            .toList();
    boolean stuck =
        waiting.stream()
            .filter(m -> m.handling.refused() != InboxMessage.Refused.NOTHING)
            .anyMatch(m -> world.messages.stream().noneMatch(other -> isBehindHanging(m, other)));
    told.removeAll(waiting.stream().map(InboxRun::told).toList());
    if (!told.isEmpty()) {
      throw new Violation("only what is stuck is told", consumer + " " + told);
    }
    if (stuck && !any) {
      throw new Violation("what is stuck is told", consumer + " of " + waiting);
    }
    if (any) {
      world.rare(InboxRare.STUCK_TOLD);
    }
  }

  /** Its turn may not have come yet: each of its key that hangs takes its time. */
  private static boolean isBehindHanging(InboxMessage message, InboxMessage other) {
    return other.kind == InboxMessage.Kind.HANGING
        && other.key == message.key
        && other.number < message.number;
  }

  private static String told(InboxMessage message) {
    return message.kind == InboxMessage.Kind.UNDECODABLE ? "" : message.id();
  }

  private void calmDown() {
    long bound = world.time.now() + CALM_BOUND;
    String busy = "not looked";
    while (world.time.now() < bound) {
      world.restartMissing();
      world.time.runUntil(world.time.now() + 50 * MS);
      busy = busy();
      if (busy.isEmpty()) {
        return;
      }
    }
    throw new Violation("convergence", busy);
  }

  private String busy() {
    for (InboxLane lane : world.lanes) {
      if (!lane.busy().isEmpty()) {
        return lane.busy();
      }
    }
    if (!world.tables.deferred.isEmpty()) {
      return "deferred " + world.tables.deferred.keySet();
    }
    if (!world.standby.busy().isEmpty()) {
      return world.standby.busy();
    }
    for (InboxProcess process : world.processes()) {
      if (process.gauges().events() > 0 || process.gauges().running() > 0) {
        return process.name + " " + process.gauges();
      }
    }
    return "";
  }

  /**
   * All processes die with a backlog of slow events before them. Those that come next keep as many
   * workers busy as there are.
   */
  private void restart() {
    int rounds = 12;
    new InboxLoad(world).backlog(rounds * world.swarm.settings.workers());
    world.time.runUntil(world.time.now() + 15 * MS);
    world.processes().forEach(process -> process.crash("with a backlog"));
    world.restartMissing();
    long bound = world.time.now() + 2L * rounds * InboxMessage.SLOW + 300 * MS;
    while (!busy().isEmpty()) {
      world.time.runUntil(world.time.now() + 5 * MS);
      if (world.time.now() > bound) {
        throw new Violation("workers are busy after a restart", busy());
      }
    }
  }

  private void stopAll() {
    world.processes().forEach(InboxProcess::askToStop);
    long bound = world.time.now() + STOP_BOUND;
    while (world.processes().stream().anyMatch(InboxProcess::runs)) {
      world.time.runUntil(world.time.now() + 10 * MS);
      if (world.time.now() > bound) {
        throw new Violation("graceful stop", "still running after 5 s");
      }
    }
  }

  private void checkEvents() {
    for (String consumer : world.consumers) {
      for (InboxMessage message : world.messages) {
        // Where nobody else gets a copy, a letter is sent again to its own consumer alone.
        boolean comes =
            message.original == null || !world.swarm.alone || !message.isForAnother(consumer);
        if (comes) {
          check(consumer, message, world.ledger.entry(consumer, message));
        }
      }
    }
  }

  private void check(String consumer, InboxMessage message, InboxLedger.Entry entry) {
    if (!entry.settled()) {
      throw new Violation("nothing is lost", consumer + " never applied " + message);
    }
    boolean copiesDiffer = message.kind == InboxMessage.Kind.UNDECODABLE;
    // While handlers that hang have all workers, the claim on a deferred event may end.
    boolean keepsClaims = world.swarm.poison.hanging() == 0;
    if (world.swarm.faultFree && keepsClaims && entry.letters > 1 && !copiesDiffer) {
      throw new Violation("a dead letter has a reason", message + " has " + entry.letters);
    }
  }
}
