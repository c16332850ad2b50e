package io.waybill.proof.sim.relay;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.broker.Confirmation;
import io.waybill.message.EventKey;
import io.waybill.proof.sim.seed.Violation;
import io.waybill.store.RowState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Times of a run in which some destinations refuse for long. A row is a <em>head</em> from the
 * moment at which it is committed and the one before it in its key is confirmed; it waits until it
 * is confirmed itself.
 */
final class RefusalWatch {
  /**
   * A head whose destination answers waits no longer, whatever others do: where memory has room for
   * two rows, for the longest pause of a breaker and some turns.
   */
  private static final long HELD_UP = 2_500 * MS;

  private static final long NOTED_WITHIN = World.seconds(30);

  /** A minute, and the time between two looks. */
  private static final long NOTED_AGAIN_WITHIN = World.seconds(67);

  private final World world;
  private final LongRefusal plan;
  private final Set<String> ill = new TreeSet<>();
  private final Map<EventKey, Long> confirmed = new HashMap<>();
  private long refusals;
  private long longestHealthy;
  private long longestRepaired;
  private int mostRemembered;

  RefusalWatch(World world, LongRefusal plan) {
    this.world = world;
    this.plan = plan;
  }

  /** Some of the destinations, and not all. */
  void begin() {
    List<String> well = new ArrayList<>(world.swarm.destinations);
    for (int i = world.dice.between(1, well.size() - 1); i > 0; i--) {
      ill.add(well.remove(world.dice.upTo(well.size())));
    }
    world.seen.trace.line(() -> ill + " refuse for long: " + plan.why().reason);
    world.seen.fault(Fault.DESTINATION_REFUSED_FOR_LONG);
    ill.forEach(destination -> world.broker.refuse(destination, plan.why()));
  }

  void end() {
    if (plan.alone()) {
      checkNotes();
    }
    world.seen.trace.line(() -> ill + " are repaired");
    ill.forEach(world.broker::repair);
    if (plan.alone()) {
      Set<SimRow> heads = heads();
      world.time.after(LongRefusal.FLOWS_WITHIN, () -> checkFlow(heads));
    }
  }

  /** The table tells of every first row that was refused, unless the database holds it. */
  private void checkNotes() {
    long now = world.time.now();
    for (SimRow row : heads()) {
      if (!row.held && row.vain > 0 && now - row.firstVainAt > NOTED_WITHIN) {
        long noted = world.seen.notedAt(row);
        if (noted == 0 || now - noted > NOTED_AGAIN_WITHIN) {
          throw new Violation("the table tells why the first row waits", row.toString());
        }
        world.seen.rare(RareState.NOTED_THROUGH_A_LONG_REFUSAL);
      }
    }
  }

  private Set<SimRow> heads() {
    Set<EventKey> keys = new HashSet<>();
    Set<SimRow> heads = new HashSet<>();
    for (SimRow row : world.database.rows()) {
      if (row.life == SimRow.Life.COMMITTED
          && ill.contains(row.destination)
          && !row.isConfirmed()
          && (row.key == null || keys.add(row.key))) {
        heads.add(row);
      }
    }
    return heads;
  }

  /**
   * Where more destinations refuse than may have a breaker of their own, how long one waits in
   * common with others is a matter of their number: no time is promised.
   */
  private boolean eachHasItsOwnBreaker() {
    return ill.size() < world.swarm.settings.maxBreakers();
  }

  private void checkFlow(Set<SimRow> heads) {
    for (SimRow row : heads) {
      if (!row.isConfirmed() && eachHasItsOwnBreaker()) {
        throw new Violation("flows after the repair", "not in 5 s: " + row);
      }
      world.seen.rare(RareState.FLOWED_AFTER_LONG_REFUSAL);
    }
  }

  void told(SimRelay relay, SimSend send, SimSend.Outcome outcome) {
    mostRemembered = Math.max(mostRemembered, relay.destinations());
    if (send.answer instanceof Confirmation.Refused) {
      refusals++;
    }
    if (outcome != SimSend.Outcome.CONFIRMED || !plan.alone()) {
      return;
    }
    SimRow row = send.row;
    long now = world.time.now();
    long since = row.visibleAt;
    if (row.key != null) {
      Long before = confirmed.put(row.key, now);
      since = Math.max(since, before == null ? 0 : before);
    }
    if (ill.contains(row.destination)) {
      longestRepaired = Math.max(longestRepaired, now - Math.max(since, plan.end()));
    } else if (since >= LongRefusal.BEGIN) {
      healthy(row, now - since);
    }
  }

  private void healthy(SimRow row, long wait) {
    longestHealthy = Math.max(longestHealthy, wait);
    if (world.time.now() < plan.end()) {
      world.seen.rare(RareState.HEALTHY_BESIDE_A_LONG_REFUSAL);
    }
    if (wait > HELD_UP && eachHasItsOwnBreaker()) {
      throw new Violation("destinations that answer are not held up", wait / MS + " ms " + row);
    }
  }

  /** In the end, when everything is at rest. */
  void checkRest() {
    if (!plan.alone()) {
      return;
    }
    for (SimRow row : world.database.rows()) {
      if (row.life == SimRow.Life.COMMITTED && row.failure != null) {
        throw new Violation("a refusal gives nothing up", row.toString());
      }
    }
    for (SimRelay relay : world.relays()) {
      if (relay.destinations() > 0) {
        throw new Violation(
            "destinations that answer are forgotten", relay.destinations() + " in " + relay.name);
      }
    }
  }

  /** What the run showed, as one line. */
  String summary() {
    long parked = world.database.rows().stream().filter(row -> row.in(RowState.PARKED)).count();
    long dead = world.database.rows().stream().filter(row -> row.in(RowState.DEAD)).count();
    return String.format(
        "%d of %d destinations refused for %.1f h; %,d events, %,d refusals; longest wait of a head"
            + " whose destination answered %,d ms, after the repair %,d ms; most destinations"
            + " remembered %d of %d; parked %d, dead %d",
        ill.size(),
        world.swarm.destinations.size(),
        plan.nanos() / 3.6e12,
        world.database.rows().size(),
        refusals,
        longestHealthy / MS,
        longestRepaired / MS,
        mostRemembered,
        world.swarm.mostRemembered(),
        parked,
        dead);
  }
}
