package io.waybill.proof.sim.inbox;

import io.waybill.proof.sim.seed.Dice;
import java.util.List;
import java.util.Set;

/** Failovers of the database to a standby that lacks its last transactions, in some runs. */
final class InboxStandby {
  private static final long OWN = 0x5E7BACCL;
  // Of the time of a standby that is behind, milliseconds.
  private static final int FARTHEST_BEHIND = 150;

  /** What happens only where the database fails over. */
  static final Set<Enum<?>> WITH =
      Set.of(
          InboxFault.DATABASE_FAILED_OVER,
          InboxFault.DATABASE_SWITCHED_OVER,
          InboxRare.EFFECT_LOST_WITH_ITS_SERVER,
          InboxRare.DEFERRAL_LOST_WITH_ITS_SERVER,
          InboxRare.DEFERRED_CAME_BACK,
          InboxRare.READ_AGAIN_AFTER_A_FAILOVER,
          InboxRare.READ_AGAIN_FOR_A_FORMER_OWNER,
          InboxRare.NOTHING_TO_READ_AGAIN,
          InboxRare.ANOTHER_FAILOVER_MEANWHILE,
          InboxRare.WORK_OF_ANOTHER_SERVER,
          InboxRare.DIED_BETWEEN_SERVERS);

  /** What does not happen to partitions then. */
  static final Set<Enum<?>> WITHOUT =
      Set.of(InboxFault.LOG_LOST_ITS_END, InboxRare.POSITION_ABOVE_THE_END);

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
  void wake() {
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
