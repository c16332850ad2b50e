package io.waybill.proof.sim.relay;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.internal.relay.Input;
import io.waybill.message.EventKey;
import io.waybill.proof.sim.seed.Dice;
import io.waybill.store.OutboxRow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Business transactions that append events, and do not always commit. */
final class Producing {
  private final World world;
  private final Dice dice;
  private final Swarm.Producers shape;

  Producing(World world) {
    this.world = world;
    this.dice = world.dice;
    this.shape = world.swarm.producers;
  }

  void schedule() {
    int events = 0;
    while (events < world.swarm.events) {
      int size = dice.between(1, 5);
      events += size;
      world.time.at(dice.micros(0, world.swarm.load / 1000), () -> begin(size));
    }
  }

  private void begin(int size) {
    if (!world.database.up()) {
      world.time.after(dice.millis(50, 500), () -> begin(size));
      return;
    }
    List<SimRow> written = new ArrayList<>();
    List<SimRow> undone = new ArrayList<>();
    boolean savepoint = size > 1 && dice.chance(shape.savepoint());
    for (int i = 0; i < size; i++) {
      SimRow row = row();
      world.database.insert(row);
      world.seen.inserted(row);
      (savepoint && i >= size / 2 ? undone : written).add(row);
    }
    if (!undone.isEmpty()) {
      world.seen.rare(RareState.SAVEPOINT_ROLLED_BACK);
      undone.forEach(row -> row.life = SimRow.Life.ROLLED_BACK);
    }
    long delay = dice.chance(shape.slowCommit()) ? dice.millis(50, 2_500) : dice.micros(100, 4_000);
    int endings = world.database.endings();
    world.time.after(delay, () -> end(written, endings));
  }

  private void end(List<SimRow> written, int endings) {
    if (endings != world.database.endings() || dice.chance(shape.rollback())) {
      written.forEach(row -> row.life = SimRow.Life.ROLLED_BACK);
      return;
    }
    boolean synchronous = !dice.chance(shape.async());
    world.database.commit(written, synchronous);
    world.maybeCrashAfterCommit();
    if (dice.chance(0.3)) {
      world.anyRelay(relay -> relay.post(Input.Signal.WAKE));
    }
  }

  /** 16 bytes, so that all rows cost the same. */
  private static byte[] payload(int event) {
    return ("payload-" + (10_000_000 + event)).getBytes(StandardCharsets.US_ASCII);
  }

  private SimRow row() {
    long id = world.database.nextId();
    int event = world.database.rows().size() + 1;
    int number = dice.skewed(world.swarm.keys);
    EventKey key = dice.chance(0.05) ? null : new EventKey("order", "k" + number);
    int spread = key == null ? (int) id : number * 7;
    List<String> destinations = world.swarm.destinations;
    String destination =
        destinations.get(
            world.swarm.mixedKeys
                ? dice.upTo(destinations.size())
                : Math.floorMod(number, destinations.size()));
    boolean delayed = dice.chance(shape.delayed());
    OutboxRow row =
        new OutboxRow(
            id,
            Math.floorMod(spread, world.swarm.lanes),
            "e" + event,
            "order-changed",
            1,
            key,
            payload(event),
            "application/json",
            null,
            null,
            null,
            null,
            world.time.now() / 1000,
            world.time.now() / 1000,
            false);
    SimRow written =
        new SimRow(
            event,
            row,
            new SimRow.Traits(
                destination,
                dice.chance(world.swarm.poison.rejected()),
                dice.chance(world.swarm.poison.unmappable()),
                delayed ? world.time.now() + dice.between(10, 3_000) * MS : 0));
    written.refusesChanges = dice.chance(world.swarm.people.refusing());
    return written;
  }
}
