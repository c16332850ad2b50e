package io.waybill.testkit.sim;

import java.util.List;

/** Failovers of the database to a standby that lacks its last transactions, in some runs. */
final class InboxStandby {
  private static final long OWN = 0x5E7BACCL;
  // Of the time of a standby that is behind, milliseconds.
  private static final int FARTHEST_BEHIND = 150;

  final boolean on;
  private final InboxWorld world;
  private final Dice dice;
  private int servers = 1;

  InboxStandby(InboxWorld world, long seed) {
    this.world = world;
    this.dice = new Dice(seed ^ OWN);
    InboxSwarm swarm = world.swarm;
    boolean may = swarm.kafka && !swarm.faultFree && swarm.lasting.keys() == 0;
    this.on = may && dice.chance(world.mutation.failoverShare());
  }

  void trouble() {
    if (!on || world.healed() || !dice.chance(0.06)) {
      return;
    }
    InboxSnapshot standby = new InboxSnapshot(world);
    long behind = dice.chance(0.2) ? 0 : dice.millis(1, FARTHEST_BEHIND);
    world.time.after(behind, () -> failOver(standby, behind));
  }

  private void failOver(InboxSnapshot standby, long behind) {
    if (world.healed() || !standby.knowsAllLanes()) {
      return;
    }
    world.fault(behind == 0 ? InboxFault.DATABASE_SWITCHED_OVER : InboxFault.DATABASE_FAILED_OVER);
    standby.restore("server-" + ++servers);
  }

  /** A lane in which nothing comes any more is compared by nobody who starts afterwards. */
  void nudge() {
    if (on) {
      world.lanes.forEach(InboxLane::copyFirst);
    }
  }

  /** Whom the change of servers still occupies; empty for nobody. */
  String busy() {
    List<String> busy =
        world.processes().stream()
            .filter(process -> process.history.busy())
            .map(process -> process.name)
            .toList();
    return busy.isEmpty() ? "" : busy + " look at the database";
  }
}
