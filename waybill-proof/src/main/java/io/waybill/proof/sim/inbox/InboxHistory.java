package io.waybill.proof.sim.inbox;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.broker.Reach;
import io.waybill.internal.inbox.HistoryEngine;
import io.waybill.internal.inbox.HistoryStep;
import io.waybill.internal.inbox.InboxInput;
import io.waybill.internal.inbox.ReceivedMessage;
import io.waybill.observe.InboxEvent;
import io.waybill.store.RecordedProgress;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a process goes from one server of its database to another: the decisions of {@link
 * HistoryEngine}, carried out one after the other, each after a while.
 */
final class InboxHistory {
  private static final long NOTES = 60 * MS;
  private static final long PAUSE = 15 * MS;

  private final InboxProcess process;
  private final InboxWorld world;
  private final boolean on;
  private final HistoryEngine engine;
  private String server;
  private boolean doubt;
  // Its thread has something to do.
  private boolean occupied;
  private long awaited;
  private Runnable whenQuiet = () -> {};

  InboxHistory(InboxProcess process) {
    this.process = process;
    this.world = process.world;
    this.on = world.standby.on;
    this.engine = new HistoryEngine(process::post, true);
    this.server = world.tables.server;
  }

  void start() {
    if (on) {
      after(world.dice.millis(1, NOTES / MS), this::noteAndGoOn);
    }
  }

  /** Whether its connections lead to the server on which it works. */
  boolean standsHere() {
    return server.equals(world.tables.server);
  }

  /** On which server it works. */
  String server() {
    return server;
  }

  boolean busy() {
    return on && (!standsHere() || doubt || engine.isWaiting());
  }

  void delivered(List<ReceivedMessage> messages) {
    if (!on) {
      process.post(new InboxInput.Delivered(messages));
    } else if (engine.delivered(messages)) {
      soon();
    }
  }

  boolean isWaiting() {
    return on && engine.isWaiting();
  }

  void revoked(String lane) {
    engine.revoked(Set.of(lane));
  }

  /** When the database fails, it may be another one. */
  void on(InboxEvent event) {
    if (on && event instanceof InboxEvent.StoreFailed) {
      doubt = true;
      soon();
    }
  }

  /** Whether the database does what it is asked for. */
  boolean answers() {
    return world.tables.up() && standsHere();
  }

  /** Whether what is acknowledged is so for good, and not by the word of a server that is gone. */
  boolean counts(InboxAssignment assignment) {
    return !on || (standsHere() && assignment.active);
  }

  private void soon() {
    if (!occupied) {
      occupied = true;
      after(world.dice.micros(20, 500), this::turn);
    }
  }

  private void turn() {
    occupied = doubt || engine.isWaiting();
    if (occupied) {
      doubt = false;
      HistoryEngine.Look look = engine.look();
      after(world.dice.micros(50, 2_000), () -> ask(look));
    }
  }

  private void ask(HistoryEngine.Look look) {
    if (isFailing()) {
      failed();
      return;
    }
    RecordedProgress found =
        world.mutation.recordedProgress(
            world.tables.recordedProgress(process.consumer, look.lanes()));
    after(world.dice.micros(10, 300), () -> decide(look, found));
  }

  private boolean isFailing() {
    return !world.tables.up() || world.strikes(world.swarm.faults.callFails());
  }

  private void failed() {
    doubt = true;
    after(PAUSE, this::turn);
  }

  private void decide(HistoryEngine.Look look, RecordedProgress found) {
    Map<String, Reach> reach = process.assignments.reach();
    HistoryEngine.Decision decision = engine.decide(look, server, found, reach);
    world.trace.line(() -> process.name + " found " + found + ": " + decision.steps());
    count(look, found, decision);
    next(world.mutation.steps(decision.steps()));
  }

  private void count(
      HistoryEngine.Look look, RecordedProgress found, HistoryEngine.Decision decision) {
    for (String lane : decision.back().keySet()) {
      world.rare(
          look.known().containsKey(lane)
              ? InboxRare.READ_AGAIN_AFTER_A_FAILOVER
              : InboxRare.READ_AGAIN_FOR_A_FORMER_OWNER);
    }
    if (!found.server().equals(server) && decision.back().isEmpty()) {
      world.rare(InboxRare.NOTHING_TO_READ_AGAIN);
    }
  }

  private void next(List<HistoryStep> steps) {
    if (steps.isEmpty()) {
      turn();
      return;
    }
    if (world.strikes(world.swarm.faults.crash() > 0 ? 0.03 : 0)) {
      world.rare(InboxRare.DIED_BETWEEN_SERVERS);
      process.crash("before " + steps.get(0));
      return;
    }
    List<HistoryStep> rest = steps.subList(1, steps.size());
    carryOut(steps.get(0), () -> after(world.dice.micros(10, 1_000), () -> next(rest)));
  }

  private void carryOut(HistoryStep step, Runnable then) {
    if (step instanceof HistoryStep.Forget forget) {
      engine.forget(forget.lanes());
      if (!forget.inEngine().isEmpty() && world.mutation.forgetsLanes()) {
        forget(forget.inEngine(), then);
        return;
      }
    } else if (step instanceof HistoryStep.SeekBack seek) {
      seek.positions().forEach(process.assignments::seekBack);
    } else if (step instanceof HistoryStep.Stand stand) {
      if (!stand.server().equals(world.tables.server)) {
        world.rare(InboxRare.ANOTHER_FAILOVER_MEANWHILE);
      }
      server = stand.server();
    } else if (step instanceof HistoryStep.Note note) {
      if (!note(note.positions())) {
        failed();
        return;
      }
    } else if (step instanceof HistoryStep.Release release) {
      engine.release(release.began());
    }
    then.run();
  }

  /** Until its handlers have ended, or their time is over. */
  private void forget(Set<String> lanes, Runnable then) {
    long number = world.nextRevocation();
    awaited = number;
    whenQuiet = then;
    process.post(new InboxInput.Revoked(number, lanes, true));
    after(InboxSwarm.revocationBound(), () -> quiet(number));
  }

  void quiet(long number) {
    if (awaited == number && awaited != 0) {
      awaited = 0;
      whenQuiet.run();
    }
  }

  private boolean note(Map<String, Long> positions) {
    if (isFailing() || !standsHere()) {
      return false;
    }
    world.tables.note(process.consumer, positions);
    return true;
  }

  private void noteAndGoOn() {
    if (!occupied) {
      Map<String, Reach> reach = process.assignments.reach();
      reach.replaceAll((lane, far) -> world.mutation.noted(far));
      Map<String, Long> positions = engine.toNote(reach);
      if (!positions.isEmpty()) {
        occupied = true;
        after(world.dice.micros(50, 2_000), () -> noteNow(positions));
      }
    }
    after(NOTES, this::noteAndGoOn);
  }

  private void noteNow(Map<String, Long> positions) {
    if (note(positions)) {
      engine.noted(positions);
      turn();
    } else {
      failed();
    }
  }

  /** Unless the process is gone by then, and not before it is thawed. */
  private void after(long delay, Runnable then) {
    world.time.after(
        delay,
        () -> {
          if (process.runs() && process.frozen()) {
            after(process.frozenUntil() - world.time.now() + 1, then);
          } else if (process.runs()) {
            then.run();
          }
        });
  }
}
