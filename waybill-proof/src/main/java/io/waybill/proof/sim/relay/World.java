package io.waybill.proof.sim.relay;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.internal.relay.Input;
import io.waybill.proof.sim.seed.Dice;
import io.waybill.proof.sim.seed.Scheduler;
import io.waybill.proof.sim.seed.Trace;
import io.waybill.proof.sim.seed.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Everything that exists in one run. */
final class World {
  private static final Swarm.StoreFaults NO_FAULTS = new Swarm.StoreFaults(0, 0, 0, false, false);

  /** The parts of the database that settlements touch. */
  record Tables(SimDatabase database, SimSessions sessions, SimRequests requests) {}

  final Scheduler time = new Scheduler();
  final Dice dice;
  final Swarm swarm;
  final Mutation mutation;
  final Observations seen;
  final SimDatabase database;
  final SimSessions sessions;
  final SimLocks locks;
  final SimRequests requests;
  final SimSettling settling;
  final SimBroker broker;
  final SimMapper mapper;
  final @Nullable RefusalWatch refusals;
  private final List<SimRelay> relays = new ArrayList<>();
  private boolean healed;
  private boolean disturbed;
  private int processes;

  World(long seed, Mutation mutation, boolean tracing) {
    this(seed, null, mutation, tracing);
  }

  /** A world of a given refusal, or one in which chance decides. */
  World(long seed, @Nullable LongRefusal refusal, Mutation mutation, boolean tracing) {
    this.dice = new Dice(seed);
    this.swarm = new Swarm(dice, refusal);
    this.mutation = mutation;
    this.seen = new Observations(time, new Trace(time, tracing));
    this.database = new SimDatabase(time, seen, mutation, swarm);
    this.locks = new SimLocks(this);
    this.sessions = new SimSessions(database, locks, seen, mutation, swarm.lanes);
    this.requests = new SimRequests(database, seen);
    this.settling =
        new SimSettling(new Tables(database, sessions, requests), seen, mutation, swarm);
    this.broker = new SimBroker(swarm);
    this.mapper = new SimMapper(database, swarm, mutation);
    this.refusals = swarm.refusal == null ? null : new RefusalWatch(this, swarm.refusal);
  }

  SimRelay startRelay() {
    SimRelay relay = new SimRelay(this, "relay-" + ++processes);
    relays.add(relay);
    seen.trace.line(() -> relay.name + " starts");
    relay.start();
    return relay;
  }

  List<SimRelay> relays() {
    return relays;
  }

  void eachRelay(Consumer<SimRelay> action) {
    for (SimRelay relay : List.copyOf(relays)) {
      if (relay.runs()) {
        action.accept(relay);
      }
    }
  }

  void anyRelay(Consumer<SimRelay> action) {
    SimRelay relay = dice.pick(relays);
    if (relay.runs()) {
      action.accept(relay);
    }
  }

  void crash(SimRelay relay, String where) {
    seen.trace.line(() -> relay.name + " dies " + where);
    disturb();
    seen.fault(Fault.RELAY_DIED);
    relay.die();
  }

  /** Replaces processes that have died or stopped. */
  void restartMissing() {
    relays.removeIf(relay -> !relay.runs());
    while (relays.size() < swarm.relays) {
      startRelay();
    }
  }

  double crashRate() {
    return healed ? 0 : swarm.relay.crashAtEffect() / 4;
  }

  Swarm.StoreFaults storeFaults() {
    return healed ? NO_FAULTS : swarm.store;
  }

  /** Something happened that can cost a living relay its lease. */
  void disturb() {
    disturbed = true;
  }

  /** Now and then the database dies while rows were seen and are not yet on disk. */
  void maybeCrashAfterLook(SimReader.Page page) {
    boolean atRisk = page.rows().stream().anyMatch(row -> !row.durable);
    if (atRisk && !healed && swarm.store.crashes() && dice.chance(0.05)) {
      new FaultPlan(this, 0).crashDatabase();
    }
  }

  /** Now and then the database dies while it has promised more than it has written. */
  void maybeCrashAfterCommit() {
    if (!healed && swarm.store.crashes() && database.unflushedCommits() > 1 && dice.chance(0.1)) {
      new FaultPlan(this, 0).crashDatabase();
    }
  }

  /** Now and then the connection dies between a return and its acknowledgement. */
  boolean closesAfterReturn() {
    return !healed && swarm.broker.closes() && dice.chance(0.05);
  }

  /** Now and then a process freezes in the middle of a turn. */
  void maybeFreeze(SimRelay relay) {
    if (!healed && swarm.relay.pauses() && dice.chance(0.03)) {
      new FaultPlan(this, 0).freeze(relay);
    }
  }

  boolean healed() {
    return healed;
  }

  void heal() {
    seen.trace.line(() -> "healed");
    healed = true;
    broker.heal();
    settling.heal();
    database.setUp(true);
    database.paused.clear();
    eachRelay(SimRelay::resume);
    eachRelay(relay -> relay.post(Input.Signal.PUBLISHER_AVAILABLE));
  }

  void fenced(SimRelay relay) {
    boolean storeFaults =
        swarm.store.failBefore() > 0 || swarm.store.unreported() > 0 || swarm.store.slow() > 0;
    if (!disturbed && !storeFaults) {
      throw new Violation("no take-over without a fault", relay.name);
    }
    relay.fenced();
  }

  /** Whether the sender no longer owns the lane of what is stored now. */
  boolean takenOver(SimSend send) {
    long owner = sessions.owner(send.row.lane);
    return owner != send.tenure.fence() && owner != 0;
  }

  void checkMemory(SimRelay relay, Input input) {
    if (relay.destinations() > swarm.mostRemembered()) {
      throw new Violation("bounded memory", relay.destinations() + " destinations");
    }
    boolean rowsCame =
        (input instanceof Input.RowsRead read && !read.result().rows().isEmpty())
            || (input instanceof Input.HeldRead held && !held.result().rows().isEmpty());
    if (rowsCame) {
      long rows = relay.gauges().inFlightBytes() / Swarm.ROW_BYTES;
      long most = swarm.settings.maxRows();
      most += swarm.settings.polling().batch() + database.blockedRows();
      // What operators ask for comes in without room for it: tried again, and on its way back.
      most += 2L * requests.open();
      if (rows > most) {
        throw new Violation("bounded memory", rows + " rows in " + relay.name);
      }
      if (rows >= swarm.settings.maxRows()) {
        seen.rare(RareState.BUDGET_FULL);
      }
    }
  }

  static long seconds(int seconds) {
    return seconds * 1000L * MS;
  }
}
