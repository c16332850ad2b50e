package io.waybill.internal.inbox.attempt;

import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.store.DedupeKey;
import io.waybill.store.DedupeResult;
import io.waybill.store.DeferredEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of one piece of work: it names the next step and receives that step's result. It
 * does no I/O; a worker, or a simulation, carries the steps out. Not thread-safe.
 *
 * <p>The path of a delivery is begin, seen?, handle, commit: deduplication and effect are in one
 * transaction. Deliveries that share a transaction are deduplicated in one statement and handled in
 * order. If one handler fails, the whole transaction rolls back. If the time budget runs out, the
 * deliveries not yet handled are released to a later transaction.
 */
public final class HandlingTransaction {
  static final Step BEGIN = new Step.Begin();
  static final Step COMMIT = new Step.Commit();
  private static final Step ROLLBACK = new Step.Rollback();

  private final Work work;
  private final StartNotes starts;
  private final Deque<Step> steps = new ArrayDeque<>();
  private final List<Fate> fates = new ArrayList<>();
  // Places of the events whose handlers have not returned yet.
  private final Deque<Integer> uncalled = new ArrayDeque<>();
  private @Nullable Step current;
  // What follows the look whether events were seen before.
  private Consumer<List<DedupeResult>> looked = dedupeResults -> {};
  private @Nullable Failure failure;
  private Answer.@Nullable StoreFailed down;
  // It was the values that the database refused.
  private boolean refused;

  /**
   * Prepares the steps of a piece of work.
   *
   * @param work the piece of work
   */
  public HandlingTransaction(Work work) {
    this.work = work;
    this.starts = new StartNotes(work);
    switch (work.kind()) {
      case HANDLE -> handle((Work.Handle) work);
      case RETRY -> retry((Work.Retry) work);
      case DEFER -> defer((Work.Defer) work);
      case DEFER_AGAIN -> {
        add(BEGIN, new Step.DeferAgain(((Work.DeferAgain) work).event()));
        commitWith(new Fate.Deferred());
      }
      case BURY -> bury((Work.Bury) work);
    }
  }

  /** The path of deliveries: begin, seen?, handle, commit. */
  private void handle(Work.Handle handle) {
    steps.addAll(starts.before());
    add(BEGIN, new Step.Look(handle.tasks().stream().map(Task::dedupeKey).toList()));
    looked =
        dedupeResults -> {
          List<Task> fresh = fresh(handle.tasks(), dedupeResults);
          // Only single events have such a plan.
          if (!fresh.isEmpty() && fresh.get(0).plan() instanceof Plan.Bury bury) {
            fates.clear();
            bury(bury);
          } else {
            call(fresh);
            commit(handle);
          }
        };
  }

  /** The path of a deferred event: begin, still claimed and not seen?, handle, commit. */
  private void retry(Work.Retry retry) {
    steps.addAll(starts.before());
    add(BEGIN, new Step.LookAgain(deferred(retry.task())));
    looked = dedupeResults -> lookedAtDeferred(retry, dedupeResults.get(0));
  }

  private void defer(Work.Defer defer) {
    add(BEGIN, new Step.Defer(defer.event()));
    steps.addAll(StartNotes.forget(defer.mark().suspects()));
    commitWith(new Fate.Deferred());
  }

  private void bury(Work.Bury bury) {
    Task task = bury.task();
    add(
        BEGIN,
        task.deferred() == null
            ? new Step.NoteDead(task.dedupeKey())
            : new Step.LookAgain(deferred(task)));
    looked = dedupeResults -> lookedAtDead(bury, dedupeResults.get(0));
  }

  /** The first step. */
  public Step first() {
    return take();
  }

  /**
   * The next step.
   *
   * @param answer the result of the last step
   * @return the next step; none follows a {@link Step.End}
   */
  public Step next(Answer answer) {
    Step done = Objects.requireNonNull(current, "a step");
    switch (answer.kind()) {
      case OK -> steps.addAll(starts.after(done));
      case DEDUPE_RESULTS -> looked.accept(((Answer.DedupeResults) answer).dedupeResults());
      case STARTS -> lookedAtStarts(((Answer.Starts) answer).counts());
      case HANDLED -> handled((Answer.Handled) answer, ((Step.Handle) done).tasks().size());
      case THREW -> threw(((Answer.Threw) answer).failure());
      case STORE_FAILED -> storeFailed((Answer.StoreFailed) answer);
      case REFUSED -> refused((Answer.Refused) answer);
    }
    return take();
  }

  private Step take() {
    Step next = steps.isEmpty() ? new Step.End(outcome()) : steps.remove();
    current = next;
    return next;
  }

  private Outcome outcome() {
    if (failure != null) {
      return new Outcome.Failed(failure, starts.open());
    }
    if (down == null) {
      return new Outcome.Done(fates);
    }
    return refused
        ? new Outcome.Refused(down.reason(), starts.open())
        : new Outcome.StoreDown(down.reason(), down.transientFailure(), starts.open());
  }

  private void add(Step... more) {
    steps.addAll(List.of(more));
  }

  private void commitWith(Fate fate) {
    fates.add(fate);
    add(COMMIT);
  }

  private void endWith(Fate fate) {
    fates.add(fate);
    add(ROLLBACK);
  }

  private void bury(Plan.Bury bury) {
    endWith(new Fate.ToBury(bury.reason(), bury.detail()));
  }

  private void lookedAtStarts(Map<String, Integer> counts) {
    if (starts.permit(counts)) {
      return;
    }
    steps.clear();
    add(COMMIT);
    for (Task task : work.handled()) {
      fates.add(starts.instead(counts.getOrDefault(task.dedupeKey().eventId(), 0)));
    }
  }

  private static DeferredEvent deferred(Task task) {
    return Objects.requireNonNull(task.deferred(), "deferred");
  }

  /** The events that are seen for the first time and have their key's turn. */
  private List<Task> fresh(List<Task> tasks, List<DedupeResult> dedupeResults) {
    List<Task> fresh = new ArrayList<>();
    for (int i = 0; i < dedupeResults.size(); i++) {
      Task task = tasks.get(i);
      DedupeResult dedupe = dedupeResults.get(i);
      if (dedupe instanceof DedupeResult.Seen seen) {
        fates.add(new Fate.Duplicate(seen.age()));
      } else if (dedupe instanceof DedupeResult.Fresh) {
        expectHandled();
        fresh.add(task);
      } else {
        fates.add(new Fate.DeferredBehind());
        add(new Step.Defer(task.put(0, 0, "", null)));
      }
    }
    return fresh;
  }

  /**
   * What is not done with stays suspect: if it, or another copy of it, has killed the process, that
   * still counts.
   */
  private void commit(Work.Handle handle) {
    Set<String> left = new HashSet<>();
    for (int i = 0; i < fates.size(); i++) {
      if (fates.get(i) instanceof Fate.DeferredBehind || fates.get(i) instanceof Fate.Unhandled) {
        left.add(handle.tasks().get(i).dedupeKey().eventId());
      }
    }
    steps.addAll(starts.forgetAllBut(left));
    add(COMMIT);
  }

  private void expectHandled() {
    uncalled.add(fates.size());
    fates.add(new Fate.Handled(0));
  }

  /** A batch in one call, others each in its own. */
  private void call(List<Task> fresh) {
    if (fresh.isEmpty()) {
      return;
    }
    if (fresh.get(0).plan() instanceof Plan.Handle plan && plan.registration().batch() > 1) {
      add(new Step.Handle(List.copyOf(fresh)));
    } else {
      fresh.forEach(task -> add(new Step.Handle(List.of(task))));
    }
  }

  private void handled(Answer.Handled handled, int calls) {
    for (int i = 0; i < calls && !uncalled.isEmpty(); i++) {
      fates.set(uncalled.remove(), new Fate.Handled(handled.micros() / calls));
    }
    if (handled.last() && !uncalled.isEmpty() && work instanceof Work.Handle handle) {
      cutShort(handle);
    }
  }

  /** What was not called is another transaction's, and so are its copies. */
  private void cutShort(Work.Handle handle) {
    List<Task> tasks = handle.tasks();
    steps.clear();
    Map<String, DedupeKey> left = new LinkedHashMap<>();
    for (int place : uncalled) {
      DedupeKey dedupeKey = tasks.get(place).dedupeKey();
      left.put(dedupeKey.eventId(), dedupeKey);
    }
    uncalled.clear();
    for (int i = 0; i < fates.size(); i++) {
      if (left.containsKey(tasks.get(i).dedupeKey().eventId())) {
        fates.set(i, new Fate.Unhandled());
      }
    }
    add(new Step.TakeBack(List.copyOf(left.values())));
    commit(handle);
  }

  private void lookedAtDeferred(Work.Retry retry, DedupeResult dedupe) {
    Task task = retry.task();
    DeferredEvent event = deferred(task);
    if (dedupe instanceof DedupeResult.Lost || dedupe instanceof DedupeResult.Behind) {
      endWith(new Fate.Lost());
      steps.addAll(starts.end());
    } else if (dedupe instanceof DedupeResult.Seen seen) {
      add(new Step.Forget(event));
      steps.addAll(StartNotes.forget(retry.mark().suspects()));
      commitWith(new Fate.Duplicate(seen.age()));
    } else if (event.deadReason() != null) {
      // Its letter may be out already, whatever this version would do with it.
      endWith(new Fate.ToBury(event.deadReason(), event.failure()));
    } else {
      handleDeferred(retry, event);
    }
  }

  private void handleDeferred(Work.Retry retry, DeferredEvent event) {
    Plan plan = retry.task().plan();
    switch (plan.kind()) {
      case HANDLE -> {
        add(new Step.Handle(List.of(retry.task())));
        finish(retry, event);
      }
      case IGNORE -> finish(retry, event);
      case BURY -> bury((Plan.Bury) plan);
      // There is no lane to stop: it is tried again until its attempts are used up.
      case HALT -> threw(new Failure(true, ((Plan.Halt) plan).detail()));
      case PASS_OVER -> throw new IllegalStateException("no plan for a deferred event: " + plan);
    }
  }

  private void finish(Work.Retry retry, DeferredEvent event) {
    expectHandled();
    add(new Step.Forget(event));
    steps.addAll(StartNotes.forget(retry.mark().suspects()));
    add(COMMIT);
  }

  private void lookedAtDead(Work.Bury bury, DedupeResult dedupe) {
    Task task = bury.task();
    if (dedupe instanceof DedupeResult.Lost) {
      endWith(new Fate.Buried());
      return;
    }
    if (task.deferred() == null) {
      steps.addAll(StartNotes.forget(bury.mark().suspects()));
    } else {
      // Who gave it up may have been another one.
      add(new Step.Forget(deferred(task)));
      steps.addAll(StartNotes.forget(List.of(task.dedupeKey().eventId())));
    }
    commitWith(new Fate.Buried());
  }

  private void threw(Failure how) {
    failure = how;
    fates.clear();
    steps.clear();
    add(ROLLBACK);
    steps.addAll(starts.end());
  }

  private void refused(Answer.Refused no) {
    refused |= failure == null && down == null;
    storeFailed(new Answer.StoreFailed(no.reason(), false));
  }

  /**
   * What has failed first counts: the handler's failure or the database's. Only the note that the
   * start ended is still tried, once.
   */
  private void storeFailed(Answer.StoreFailed failed) {
    steps.clear();
    fates.clear();
    add(ROLLBACK);
    if (failure != null || down != null || starts.ending()) {
      down = down == null ? failed : down;
      starts.lost();
      return;
    }
    down = failed;
    starts.undone();
    steps.addAll(starts.end());
  }
}
