package io.waybill.proof.sim.inbox;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.broker.Delivery;
import io.waybill.internal.inbox.DueMessage;
import io.waybill.internal.inbox.InboxEffect;
import io.waybill.internal.inbox.InboxEngine;
import io.waybill.internal.inbox.InboxInput;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.observe.InboxEvent;
import io.waybill.proof.sim.seed.Violation;
import io.waybill.store.DeferredEvent;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One process: an engine, its effects carried out with delays, and its sudden ends. */
final class InboxProcess {
  private static final int SPIN_LIMIT = 2_000;
  private static final int SLACK = 60;

  final InboxWorld world;
  final String consumer;
  final String name;
  private final InboxEngine engine;
  private final InboxDeadLetters letters;
  final InboxHistory history;
  private final ArrayDeque<InboxInput> inputs = new ArrayDeque<>();
  private final Set<InboxAttempt> attempts = new LinkedHashSet<>();
  final InboxAssignments assignments;
  private boolean turnDue;
  private boolean dead;
  private boolean stopping;
  private boolean stopped;
  private long frozenUntil;
  private long wakeAt = Long.MAX_VALUE;
  private int spins;

  InboxProcess(InboxWorld world, String consumer, String name) {
    this.world = world;
    this.consumer = consumer;
    this.name = name;
    this.letters = new InboxDeadLetters(this);
    this.history = new InboxHistory(this);
    this.assignments = new InboxAssignments(this);
    this.engine =
        new InboxEngine(
            consumer,
            world.swarm.alone,
            world.swarm.settings,
            world.handlers,
            InboxDeadLetters::letter,
            world.time.now());
  }

  void start() {
    post(InboxInput.Signal.TICK);
    history.start();
  }

  boolean runs() {
    return !dead && !stopped;
  }

  boolean dead() {
    return dead;
  }

  boolean stopping() {
    return stopping;
  }

  boolean takesLanes() {
    return runs() && !stopping && !frozen();
  }

  boolean frozen() {
    return frozenUntil > world.time.now();
  }

  long frozenUntil() {
    return frozenUntil;
  }

  InboxEvent.Gauges gauges() {
    return engine.gauges();
  }

  List<InboxEvent.MessageStuck> stuck() {
    return world.mutation.stuck(engine.stuck());
  }

  boolean isHandling(String lane) {
    return attempts.stream().anyMatch(attempt -> attempt.isOf(lane));
  }

  void delivered(List<Delivery> deliveries) {
    history.delivered(deliveries.stream().map(world.mutation::read).toList());
  }

  void post(InboxInput input) {
    if (runs()) {
      inputs.add(input);
      turnSoon();
    }
  }

  void ended(InboxAttempt attempt, InboxInput.Ended input) {
    attempts.remove(attempt);
    post(input);
  }

  private void turnSoon() {
    if (!turnDue) {
      turnDue = true;
      long delay = world.dice.micros(0, 200);
      world.time.at(Math.max(frozenUntil, world.time.now() + delay), this::turn);
    }
  }

  private void turn() {
    turnDue = false;
    if (frozen()) {
      turnSoon();
      return;
    }
    boolean tick = inputs.size() == 1 && inputs.peek() == InboxInput.Signal.TICK;
    int effects = 0;
    while (runs() && !inputs.isEmpty()) {
      effects += apply(inputs.remove());
    }
    if (runs()) {
      sleep(tick && effects == 0);
    }
  }

  private int apply(InboxInput input) {
    world.trace.line(() -> name + " <- " + InboxDescribe.input(input));
    if (input == InboxInput.Signal.STOP) {
      stopping = true;
    }
    List<InboxEffect> effects = world.mutation.effects(engine.apply(input, world.time.now()));
    world.trace.mix(name.hashCode(), effects.size());
    for (InboxEffect effect : effects) {
      if (world.strikes(world.swarm.faults.crash())) {
        crash("at " + InboxDescribe.effect(effect));
      }
      if (dead) {
        return 1;
      }
      world.trace.line(() -> name + " -> " + InboxDescribe.effect(effect));
      carryOut(effect);
    }
    checkMemory();
    return effects.size();
  }

  private void checkMemory() {
    if (engine.gauges().events() > world.swarm.settings.maxEvents() + SLACK) {
      throw new Violation("bounded memory", name + " " + engine.gauges());
    }
  }

  /** Wakes the engine when it asked for it, and notices when it asks for nothing but that. */
  private void sleep(boolean idle) {
    long deadline = engine.deadline();
    if (deadline == Long.MAX_VALUE) {
      return;
    }
    boolean atOnce = deadline <= world.time.now();
    spins = idle && atOnce ? spins + 1 : 0;
    if (spins > SPIN_LIMIT) {
      throw new Violation("no busy loop", name + " wants to be called at once, for nothing");
    }
    long at = Math.max(world.time.now() + MS / 20, deadline);
    if (at < wakeAt) {
      wakeAt = at;
      world.time.at(at, () -> wake(at));
    }
  }

  private void wake(long at) {
    if (at == wakeAt) {
      wakeAt = Long.MAX_VALUE;
      post(InboxInput.Signal.TICK);
    }
  }

  private void carryOut(InboxEffect effect) {
    if (effect instanceof InboxEffect.Acknowledge acknowledge) {
      acknowledge.deliveries().forEach(assignments::acknowledge);
    } else if (effect instanceof InboxEffect.Release back) {
      back.deliveries().forEach(InboxAssignments::release);
    } else if (effect instanceof InboxEffect.Pause pause) {
      assignments.pause(pause);
    } else if (effect instanceof InboxEffect.Run run) {
      begin(new InboxAttempt(this, run.work()));
    } else if (effect instanceof InboxEffect.Publish publish) {
      letters.send(publish.message());
    } else if (effect instanceof InboxEffect.Fetch fetch) {
      world.time.after(world.dice.micros(50, 2_000), () -> fetch(fetch.limit()));
    } else if (effect instanceof InboxEffect.ReleaseClaims) {
      world.tables.release(name);
      post(new InboxInput.Released());
    } else if (effect instanceof InboxEffect.LanesQuiet quiet) {
      quiet(quiet.number());
    } else if (effect instanceof InboxEffect.Notify notify) {
      InboxDescribe.notice(world, consumer, notify.event());
      history.on(notify.event());
    } else if (effect instanceof InboxEffect.Stopped) {
      stop();
    }
  }

  private void begin(InboxAttempt attempt) {
    if (dead) {
      return;
    }
    boolean waits =
        attempt.isOfSuspects()
            && !world.mutation.handlesSuspectsTogether()
            && attempts.stream().anyMatch(InboxAttempt::isOfSuspects);
    if (waits) {
      world.time.after(MS / 2, () -> begin(attempt));
    } else {
      attempts.add(attempt);
      attempt.start();
    }
  }

  /** Whether no other handler is called meanwhile. */
  boolean isHandlingOnly(InboxAttempt attempt) {
    return attempts.stream().noneMatch(other -> other != attempt && other.isHandling());
  }

  /** What is counted on when a process dies. */
  void checkAlone(InboxAttempt attempt, Work.Mark mark) {
    if (mark.alone()) {
      world.rare(InboxRare.HANDLED_ALONE);
      if (!isHandlingOnly(attempt)) {
        throw new Violation("alone is alone", name + " handles others beside " + mark);
      }
    } else if (!mark.suspects().isEmpty()) {
      world.rare(InboxRare.SUSPECT_HANDLED);
      if (attempts.stream().anyMatch(other -> other != attempt && other.isOfSuspects())) {
        world.rare(InboxRare.SUSPECTS_HANDLED_TOGETHER);
      }
    }
  }

  private void fetch(int limit) {
    if (!runs()) {
      return;
    }
    if (!history.answers() || world.strikes(world.swarm.faults.callFails())) {
      world.fault(InboxFault.CALL_FAILED);
      post(new InboxInput.FetchFailed("planned", true));
      return;
    }
    long claim = world.swarm.settings.deferred().claim().toNanos();
    List<DeferredEvent> due = world.tables.due(consumer, name, claim, limit);
    post(new InboxInput.Fetched(due.stream().map(InboxProcess::decode).toList(), limit));
  }

  private static DueMessage decode(DeferredEvent event) {
    return new DueMessage(
        event,
        InboxMutation.DECODER.decode(
            event.dedupeKey().source(),
            event.dedupeKey().key(),
            event.body(),
            event.headers(),
            event.timestampMicros()));
  }

  private void quiet(long number) {
    history.quiet(number);
    assignments.quiet(number);
  }

  void askToStop() {
    if (runs() && !stopping) {
      if (!attempts.isEmpty()) {
        world.rare(InboxRare.STOPPED_WITH_WORK);
      }
      stopping = true;
      assignments.stopDelivering();
      post(InboxInput.Signal.STOP);
    }
  }

  private void stop() {
    stopped = true;
    world.trace.line(() -> name + " stopped");
    assignments.left(true);
  }

  void crash(String where) {
    if (!runs()) {
      return;
    }
    world.trace.line(() -> name + " dies " + where);
    world.fault(InboxFault.PROCESS_DIED);
    if (assignments.hasUnflushed()) {
      world.rare(InboxRare.CRASH_BEFORE_ACKNOWLEDGEMENT);
    }
    dead = true;
    attempts.forEach(InboxAttempt::die);
    assignments.left(false);
  }

  void freeze(long nanos) {
    world.trace.line(() -> name + " freezes for " + nanos / MS + " ms");
    world.fault(InboxFault.PROCESS_FROZEN);
    if (attempts.stream().anyMatch(InboxAttempt::hasTransaction)) {
      world.rare(InboxRare.FROZEN_IN_TRANSACTION);
    }
    frozenUntil = world.time.now() + nanos;
    attempts.forEach(InboxAttempt::overtaken);
    assignments.loseMost();
  }

  /** A lane is somebody else's while events of it are being handled here. */
  void overtaken(String lane) {
    attempts.stream().filter(attempt -> attempt.isOf(lane)).forEach(InboxAttempt::overtaken);
  }

  void thaw() {
    if (frozen()) {
      frozenUntil = world.time.now();
      world.time.after(0, this::turn);
    }
  }
}
