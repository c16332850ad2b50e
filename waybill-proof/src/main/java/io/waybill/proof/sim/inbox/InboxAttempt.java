package io.waybill.proof.sim.inbox;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.broker.Delivery;
import io.waybill.internal.inbox.InboxInput;
import io.waybill.internal.inbox.attempt.Answer;
import io.waybill.internal.inbox.attempt.Failure;
import io.waybill.internal.inbox.attempt.HandlingTransaction;
import io.waybill.internal.inbox.attempt.Outcome;
import io.waybill.internal.inbox.attempt.Step;
import io.waybill.internal.inbox.attempt.Task;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.store.DedupeResult;
import io.waybill.store.DeferredEvent;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A worker: carries out the steps of one attempt, each after a while, unless its process ends. */
final class InboxAttempt {
  private static final Answer OK = new Answer.Ok();
  private static final Answer REFUSED = new Answer.Refused(InboxDescribe.REFUSED);
  private static final long LONGEST_WAIT = 400 * MS;

  private final InboxProcess process;
  private final InboxWorld world;
  private final Work work;
  // As the engine means it.
  private final Work.Mark mark;
  private final HandlingTransaction attempt;
  // On which its process worked when it was handed out.
  private final String server;
  private @Nullable InboxTx transaction;
  private boolean dead;
  private long waitsSince = -1;
  private @Nullable InboxCall call;
  private int calls;

  InboxAttempt(InboxProcess process, Work work) {
    this.process = process;
    this.world = process.world;
    this.mark = mark(work);
    this.work = world.mutation.work(work);
    this.attempt = new HandlingTransaction(this.work);
    this.server = process.history.server();
  }

  private static Work.Mark mark(Work work) {
    if (work instanceof Work.Handle handle) {
      return handle.mark();
    }
    return work instanceof Work.Retry retry ? retry.mark() : Work.Mark.NONE;
  }

  void start() {
    soon(attempt.first());
  }

  boolean hasTransaction() {
    return transaction != null;
  }

  boolean isOf(String lane) {
    return work instanceof Work.Handle handle
        && handle.tasks().stream()
            .map(Task::delivery)
            .anyMatch(d -> d != null && d.lane().equals(lane));
  }

  private List<Task> handled() {
    if (work instanceof Work.Handle handle) {
      return handle.tasks();
    }
    return work instanceof Work.Retry retry ? List.of(retry.task()) : List.of();
  }

  boolean isHandling() {
    return !handled().isEmpty();
  }

  boolean isOfSuspects() {
    return !mark.suspects().isEmpty();
  }

  /** Whoever handles the same events now finds the start of this one, which has not ended. */
  void overtaken() {
    startStaysOpen();
  }

  /** A start beside others is nobody's fault. */
  private void startStaysOpen() {
    if (handled().size() == 1 && process.isHandlingOnly(this)) {
      entry(handled().get(0)).unnoted++;
    }
  }

  /** The process is gone; the server notices later. */
  void die() {
    dead = true;
    if (handled().size() == 1 && process.isHandlingOnly(this)) {
      entry(handled().get(0)).crashesAlone++;
    }
    InboxTx open = transaction;
    if (open != null) {
      if (open.hasEffects()) {
        world.rare(InboxRare.CRASH_BEFORE_COMMIT);
      }
      if (open.hasMarks()) {
        world.rare(InboxRare.DIED_AFTER_COMMIT);
      }
      world.time.after(world.dice.millis(0, 60), open::rollback);
    }
  }

  private void soon(Step step) {
    if (step instanceof Step.End end) {
      if (isOpen(end.outcome())) {
        startStaysOpen();
      }
      if (end.outcome() instanceof Outcome.Refused
          && work instanceof Work.Defer defer
          && defer.event().deadReason() != null) {
        world.ledger.entry(process.consumer, message(defer.event())).offTheRecord = true;
      }
      Outcome outcome = world.mutation.outcome(work, end.outcome());
      process.ended(this, new InboxInput.Ended(work.id(), outcome, 1));
      return;
    }
    if (step instanceof Step.Handle handle) {
      call(handle);
    } else {
      later(step, world.dice.micros(20, 400));
    }
  }

  /** Half of its time comes before what it does, and half after. */
  private void call(Step.Handle step) {
    boolean shared = step.tasks().size() < handled().size();
    InboxTx open = Objects.requireNonNull(transaction);
    InboxCall made = new InboxCall(process, open, step.tasks(), shared);
    call = made;
    process.checkAlone(this, mark);
    awake(
        made.nanos / 2,
        () -> {
          made.run();
          later(step, made.nanos / 2);
        });
  }

  private static boolean isOpen(Outcome outcome) {
    return (outcome instanceof Outcome.Failed failed && failed.open())
        || (outcome instanceof Outcome.Refused refused && refused.open())
        || (outcome instanceof Outcome.StoreDown down && down.open());
  }

  private InboxLedger.Entry entry(Task task) {
    return world.ledger.entry(process.consumer, message(task));
  }

  private InboxMessage message(Task task) {
    return world.message(task.dedupeKey().eventId(), process.consumer);
  }

  private InboxMessage message(DeferredEvent event) {
    return world.message(event.dedupeKey().eventId(), process.consumer);
  }

  private void later(Step step, long delay) {
    awake(delay, () -> run(step));
  }

  /** Unless it is dead by then, and not before it is thawed. */
  private void awake(long delay, Runnable then) {
    world.time.after(
        delay,
        () -> {
          if (!dead && process.frozen()) {
            awake(process.frozenUntil() - world.time.now() + 1, then);
          } else if (!dead) {
            then.run();
          }
        });
  }

  private void run(Step step) {
    if (world.strikes(world.swarm.faults.crash())) {
      process.crash("in " + step);
      return;
    }
    Answer answer = carryOut(step);
    if (dead) {
      return;
    }
    if (answer == null) {
      wait(step);
      return;
    }
    waitsSince = -1;
    world.trace.line(() -> process.name + " work " + work.id() + ": " + step + " = " + answer);
    soon(attempt.next(answer));
  }

  /** Another transaction is in the way: it may be gone a moment later, or this is a deadlock. */
  private void wait(Step step) {
    if (waitsSince < 0) {
      waitsSince = world.time.now();
    }
    if (world.time.now() - waitsSince > LONGEST_WAIT) {
      waitsSince = -1;
      soon(attempt.next(new Answer.StoreFailed("lock timeout", true)));
    } else {
      later(step, 300_000);
    }
  }

  private @Nullable Answer carryOut(Step step) {
    boolean cut = transaction != null && transaction.hasEnded();
    if (cut && step instanceof Step.Handle) {
      return new Answer.Threw(new Failure(true, "connection lost"));
    }
    if (cut && !(step instanceof Step.Rollback)) {
      return new Answer.StoreFailed("connection lost", true);
    }
    if (step instanceof Step.Handle) {
      return Objects.requireNonNull(call).answer(calls++);
    }
    if (step instanceof Step.Rollback) {
      if (transaction != null) {
        transaction.rollback();
        transaction = null;
      }
      return OK;
    }
    if (step instanceof Step.Commit) {
      return commit();
    }
    if (!process.history.answers() || world.strikes(world.swarm.faults.callFails())) {
      world.fault(InboxFault.CALL_FAILED);
      return new Answer.StoreFailed("planned", true);
    }
    if (step instanceof Step.Begin) {
      if (!server.equals(process.history.server())) {
        world.rare(InboxRare.WORK_OF_ANOTHER_SERVER);
        return new Answer.StoreFailed("another server by now", true);
      }
      return begin();
    }
    if (isRefused(step)) {
      world.fault(InboxFault.VALUES_REFUSED);
      return REFUSED;
    }
    return ask(step);
  }

  private boolean isRefused(Step step) {
    boolean bulky = step instanceof Step.Defer defer && message(defer.event()).bulky;
    boolean forLong =
        step instanceof Step.Look look
            && !world.healed()
            && look.dedupeKeys().stream()
                .map(dedupeKey -> world.message(dedupeKey.eventId(), process.consumer))
                .anyMatch(m -> m.handling.refused() == InboxMessage.Refused.VALUES);
    if (forLong) {
      world.rare(InboxRare.VALUES_REFUSED_FOR_LONG);
    }
    return bulky || forLong || world.strikes(world.swarm.faults.refused());
  }

  private Answer begin() {
    transaction = new InboxTx(world.tables, process.consumer);
    calls = 0;
    return OK;
  }

  private @Nullable Answer ask(Step step) {
    InboxTx open = Objects.requireNonNull(transaction);
    if (step instanceof Step.Look look) {
      List<DedupeResult> dedupeResults = open.markSeen(look.dedupeKeys());
      return dedupeResults == null ? null : new Answer.DedupeResults(dedupeResults);
    } else if (step instanceof Step.LookAgain look) {
      DedupeResult dedupe = open.markSeen(look.event(), process.name);
      return dedupe == null ? null : new Answer.DedupeResults(List.of(dedupe));
    } else if (step instanceof Step.NoteDead dead) {
      DedupeResult dedupe = open.noteDead(dead.dedupeKey());
      return dedupe == null ? null : new Answer.DedupeResults(List.of(dedupe));
    } else if (step instanceof Step.LookAtStarts look) {
      return new Answer.Starts(open.writes.openStarts(look.eventIds()));
    } else if (step instanceof Step.TakeBack back) {
      if (!open.takeBack(back.dedupeKeys())) {
        return null;
      }
      world.rare(InboxRare.SHARED_CUT);
    } else {
      open.writes.write(step, process.name);
    }
    return OK;
  }

  private @Nullable Answer commit() {
    InboxTx open = Objects.requireNonNull(transaction);
    if (!open.canEnd()) {
      return null;
    }
    if (!open.isWhole()) {
      if (handled().size() == 1) {
        handled().forEach(task -> entry(task).vanished++);
      }
      return new Answer.Threw(
          new Failure(open.isTakenOver() || world.swarm.statements.implicit(), "rolled back"));
    }
    transaction = null;
    boolean lost = !world.tables.up() || world.strikes(world.swarm.faults.commitLost());
    if (!lost || world.dice.chance(0.5)) {
      if (open.hasEffects() && deliveries().anyMatch(d -> !InboxAssignments.owns(d))) {
        world.rare(InboxRare.COMMITTED_AFTER_LOSS);
      }
      if (open.hasEffects() && work instanceof Work.Retry) {
        world.rare(InboxRare.DEFERRED_HANDLED);
      }
      open.commit();
      if (lost) {
        world.rare(InboxRare.COMMIT_UNREPORTED);
      }
    } else {
      world.rare(InboxRare.COMMIT_FAILED);
      open.rollback();
    }
    return lost && world.mutation.heedsCommitErrors()
        ? new Answer.StoreFailed("commit unanswered", true)
        : OK;
  }

  private Stream<Delivery> deliveries() {
    return handled().stream()
        .map(Task::delivery)
        .filter(Objects::nonNull)
        .map(Objects::requireNonNull);
  }
}
