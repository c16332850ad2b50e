package io.waybill.proof.sim.relay;

import io.waybill.proof.sim.seed.Dice;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.RowState;
import java.util.List;

/** An operator gives up several events of one key, and then wants all of them after all. */
final class SecondThoughts {
  private static final int MOST = 4;

  private final World world;
  private final Dice dice;

  SecondThoughts(World world) {
    this.world = world;
    this.dice = world.dice;
  }

  void have() {
    List<SimRow> stuck =
        world.database.rows().stream()
            .filter(row -> row.key != null && isThere(row) && (row.held || row.failure != null))
            .toList();
    if (stuck.isEmpty() || !world.database.up()) {
      return;
    }
    SimRow one = dice.pick(stuck);
    ofKey(one).stream()
        .filter(row -> row.held || row.in(RowState.PARKED))
        .limit(MOST)
        .forEach(row -> world.requests.add(Verb.SKIP, row));
    // The last look at requests may be a second ago.
    world.time.after(dice.millis(500, 2_500), () -> retryAll(one));
  }

  private void retryAll(SimRow one) {
    if (world.healed() || !world.database.up()) {
      return;
    }
    if (dice.chance(0.3)) {
      new FaultPlan(world, 0).pause(one.destination);
    }
    boolean atOnce = dice.chance(0.6);
    boolean lastFirst = dice.chance(0.5);
    List<SimRow> dead = ofKey(one).stream().filter(row -> row.in(RowState.DEAD)).toList();
    for (int i = 0; i < dead.size(); i++) {
      SimRow row = dead.get(lastFirst ? dead.size() - 1 - i : i);
      if (atOnce) {
        retry(row);
      } else {
        world.time.after(dice.millis(0, 1_500), () -> retry(row));
      }
    }
  }

  private void retry(SimRow row) {
    if (!world.healed() && world.database.up() && isThere(row) && row.in(RowState.DEAD)) {
      world.requests.add(Verb.RETRY, row);
    }
  }

  private List<SimRow> ofKey(SimRow one) {
    return world.seen.ofKey(one).stream().filter(SecondThoughts::isThere).toList();
  }

  private static boolean isThere(SimRow row) {
    return row.life == SimRow.Life.COMMITTED && row.durable && !row.published;
  }
}
