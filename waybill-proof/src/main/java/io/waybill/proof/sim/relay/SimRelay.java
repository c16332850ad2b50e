package io.waybill.proof.sim.relay;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.broker.Confirmation;
import io.waybill.internal.relay.Effect;
import io.waybill.internal.relay.Input;
import io.waybill.internal.relay.RelayEngine;
import io.waybill.observe.RelayEvent;
import io.waybill.proof.sim.seed.Violation;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One process: an engine, its effects carried out with delays, and its sudden ends. A turn takes
 * what has come in, as the real relay's does, and takes its time: meanwhile outcomes come in that
 * the engine does not know yet, and the process can freeze or die between any two effects.
 */
final class SimRelay {
  private static final int SPIN_LIMIT = 2_000;
  // How often a turn is interrupted between two of its inputs or effects.
  private static final double HICCUP = 0.02;

  final World world;
  final String name;
  final SimReader reader;
  private final SimPublisher publisher;
  private final SimCalls calls;
  private final RelayEngine engine;
  private final RelayClock clock;
  private final Wire wire;
  final Breakers breakers;
  private final ArrayDeque<Input> inbox = new ArrayDeque<>();
  private final SimOutcomes outcomes;
  @Nullable Tenure tenure;
  // What is left of the turn under way: inputs, and effects of the last one.
  private final ArrayDeque<Runnable> turn = new ArrayDeque<>();
  private boolean inTurn;
  private boolean goOnDue;
  private boolean idleTurn;
  private boolean turnDue;
  private boolean paused;
  private boolean dead;
  private boolean stopping;
  private boolean stopped;
  private boolean wasFenced;
  private long wakeAt = Long.MAX_VALUE;
  private int spins;

  SimRelay(World world, String name) {
    this.world = world;
    this.name = name;
    this.reader = new SimReader(world.database, world.sessions, world.seen, world.mutation);
    this.wire = new Wire(world);
    this.breakers = new Breakers(world.seen);
    this.outcomes = new SimOutcomes(this);
    this.publisher =
        world.swarm.kafka ? new KafkaPublisher(world, this) : new RabbitPublisher(world, this);
    this.clock = new RelayClock(world);
    this.calls = new SimCalls(world, this);
    this.engine =
        new RelayEngine(
            world.mutation.settings(world.swarm.settings),
            world.swarm.retries,
            world.swarm::policyOf,
            world.mapper,
            clock.now());
  }

  void start() {
    if (world.broker.up()) {
      post(Input.Signal.PUBLISHER_AVAILABLE);
    } else {
      post(Input.Signal.PUBLISHER_UNAVAILABLE);
      post(Input.Signal.TICK);
    }
  }

  boolean runs() {
    return !dead && !stopped;
  }

  boolean dead() {
    return dead;
  }

  boolean stopped() {
    return stopped;
  }

  boolean stopping() {
    return stopping;
  }

  boolean paused() {
    return paused;
  }

  boolean wasFenced() {
    return wasFenced;
  }

  Wire wire() {
    return wire;
  }

  RelayClock clock() {
    return clock;
  }

  SimPublisher publisher() {
    return publisher;
  }

  /** Of which the engine remembers anything. */
  int destinations() {
    return engine.rememberedDestinations();
  }

  RelayEvent.Gauges gauges() {
    return engine.gauges();
  }

  void post(Input input) {
    if (!dead && !stopped) {
      inbox.add(input);
      turnSoon();
    }
  }

  void onOutcome(SimSend send, Confirmation confirmation) {
    outcomes.add(send, confirmation);
    turnSoon();
  }

  private void turnSoon() {
    if (!turnDue && !inTurn && !paused) {
      turnDue = true;
      world.time.after(world.dice.micros(0, 300), this::begin);
    }
  }

  /** As the real relay does: outcomes first, then the other inputs, then one flush. */
  private void begin() {
    turnDue = false;
    if (paused || !runs()) {
      return;
    }
    inTurn = true;
    idleTurn = outcomes.isEmpty() && inbox.size() == 1 && inbox.element() == Input.Signal.TICK;
    if (!outcomes.isEmpty()) {
      SimOutcomes.Batch batch = outcomes.take();
      turn.add(() -> apply(outcomes.tell(batch)));
    }
    while (!inbox.isEmpty()) {
      Input input = inbox.remove();
      turn.add(() -> apply(input));
    }
    goOn();
  }

  private void goOnAfter(long delay) {
    if (!goOnDue) {
      goOnDue = true;
      world.time.after(
          delay,
          () -> {
            goOnDue = false;
            goOn();
          });
    }
  }

  private void goOn() {
    while (runs() && !paused && !turn.isEmpty()) {
      turn.remove().run();
      if (!turn.isEmpty() && world.dice.chance(HICCUP)) {
        world.maybeFreeze(this);
        goOnAfter(world.dice.micros(10, 2_000));
        return;
      }
    }
    if (runs() && !paused) {
      publisher.flush();
      inTurn = false;
      sleep();
      if (!inbox.isEmpty() || !outcomes.isEmpty()) {
        turnSoon();
      }
    }
  }

  private void apply(Input input) {
    world.seen.trace.line(() -> name + " <- " + Describe.input(input));
    if (input instanceof Input.Joined joined) {
      tenure = new Tenure(name, joined.session());
      world.seen.joined(tenure);
    }
    if (input instanceof Input.Renewed renewed && renewed.alive() && tenure != null) {
      tenure.renewals = world.sessions.tried(renewed.session());
    }
    if (input instanceof Input.ControlRead read && tenure != null) {
      world.requests.shown(tenure, read.requests());
    }
    if (input == Input.Signal.STOP || input == Input.Signal.HAND_OVER) {
      stopping = true;
    }
    List<Effect> effects =
        world
            .mutation
            .effects(this, engine.apply(world.mutation.input(this, input), clock.now()))
            .stream()
            // Simulated reads are answered at once: there is no reader to wake.
            .filter(effect -> !(effect instanceof Effect.WakeReader))
            .toList();
    world.seen.trace.mix(name.hashCode(), effects.size());
    idleTurn &= effects.isEmpty();
    // They come before the turn's next input.
    for (int i = effects.size() - 1; i >= 0; i--) {
      Effect effect = effects.get(i);
      turn.addFirst(() -> carryOut(effect));
    }
    world.checkMemory(this, input);
  }

  private void carryOut(Effect effect) {
    if (world.dice.chance(world.crashRate())) {
      world.crash(this, "at " + Describe.effect(effect));
    } else {
      run(effect);
    }
  }

  /** Wakes the engine when it asked for it, and notices when it asks for nothing but that. */
  private void sleep() {
    long deadline = engine.deadline();
    if (deadline == Long.MAX_VALUE) {
      return;
    }
    long at = Math.max(world.time.now() + MS / 20, clock.trueTime(deadline));
    spins = idleTurn && at == world.time.now() + MS / 20 ? spins + 1 : 0;
    if (spins > SPIN_LIMIT) {
      throw new Violation("no busy loop", name + " wants to be called at once, for nothing");
    }
    if (at < wakeAt) {
      wakeAt = at;
      world.time.at(at, () -> wake(at));
    }
  }

  private void wake(long at) {
    if (at == wakeAt) {
      wakeAt = Long.MAX_VALUE;
      if (!paused) {
        post(Input.Signal.TICK);
      }
    }
  }

  private void run(Effect effect) {
    if (effect instanceof Effect.Send send) {
      send(send);
    } else if (effect instanceof Effect.Notify notify) {
      Describe.notice(world, this, notify.event());
    } else if (effect instanceof Effect.Stopped) {
      stopped = true;
      world.seen.trace.line(() -> name + " stopped");
    } else {
      world.seen.trace.line(() -> name + " -> " + Describe.effect(effect));
      if (effect instanceof Effect.Revoke revoke && outcomes.hasInFlight(tenure, revoke)) {
        world.seen.rare(RareState.LANE_HANDED_OVER_IN_FLIGHT);
      }
      calls.call(effect);
    }
  }

  private void send(Effect.Send effect) {
    Tenure sender = tenure;
    if (sender == null) {
      throw new Violation("no send without a session", effect.message().eventId());
    }
    SimRow row = world.database.event(effect.message().eventId());
    boolean deadLetter = effect.message().destination().name().equals(Swarm.DEAD_LETTERS);
    SimSend send = new SimSend(row, effect.message(), sender, deadLetter);
    world.seen.trace.line(() -> name + " -> " + send);
    if (sender.fenced) {
      world.seen.rare(RareState.ZOMBIE_SENT);
    }
    world.seen.revivals.handedOver(send);
    outcomes.sent(send);
    breakers.sent(send);
    publisher.send(send);
  }

  void fenced() {
    wasFenced = true;
    if (tenure != null) {
      tenure.cut = true;
    }
    tenure = null;
  }

  void pause(boolean wireFrozen, boolean clockStopped) {
    paused = true;
    if (clockStopped) {
      clock.stop();
    }
    if (!turn.isEmpty()) {
      world.seen.rare(RareState.FROZEN_WITHIN_A_TURN);
    }
    if (wireFrozen) {
      wire.freeze();
    }
  }

  void resume() {
    if (paused && runs()) {
      paused = false;
      clock.goOn();
      if (tenure != null && !world.sessions.holds(tenure.session)) {
        world.seen.rare(RareState.ZOMBIE_WOKE);
      }
      wire.thaw();
      if (inTurn) {
        goOnAfter(world.dice.micros(0, 300));
      }
      post(Input.Signal.TICK);
    }
  }

  void die() {
    dead = true;
    world.locks.died(this);
    turn.clear();
    calls.die();
    if (tenure != null) {
      world.seen.crashed(tenure, outcomes.sends());
    }
    publisher.die();
    wire.thaw();
  }
}
