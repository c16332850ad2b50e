package io.waybill.internal.inbox.attempt;

import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.store.DeferredEvent;
import io.waybill.store.Sight;
import io.waybill.store.Sighting;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of one piece of work: it names the next step and receives that step's result. It
 * does no I/O; a worker, or a simulation, carries the steps out. Not thread-safe.
 *
 * <p>The path of a delivery is begin, sight, handle, commit: deduplication and effect are in one
 * transaction. Deliveries that share a transaction are deduplicated in one statement and handled in
 * order. If one handler fails, the whole transaction rolls back. If the time budget runs out, the
 * deliveries not yet handled are released to a later transaction.
 *
 * <p>Before that, the starts of events that may have killed the process are recorded in a separate
 * transaction. An event with an earlier start that has no end is handled only while nothing else
 * is. It is dead-lettered when the process has died with it too often. An event that was merely in
 * progress at the same time as another one has one such start, from before it had to be alone; that
 * start does not count.
 */
public final class HandlingTransaction {
  private static final Step BEGIN = new Step.Begin();
  private static final Step COMMIT = new Step.Commit();
  private static final Step ROLLBACK = new Step.Rollback();

  private final Work work;
  private final Deque<Step> steps = new ArrayDeque<>();
  private final List<Fate> fates = new ArrayList<>();
  // Places of the events whose handlers have not returned yet.
  private final Deque<Integer> uncalled = new ArrayDeque<>();
  private @Nullable Step current;
  private @Nullable Failure failure;
  private Answer.@Nullable StoreFailed down;
  // It was the values that the database refused.
  private boolean refused;
  private boolean open;
  // The note of the starts is committed.
  private boolean marked;
  // Of these what is noted stays after the commit, but for their start.
  private List<String> staySuspect = List.of();
  // The note of the end is on its way.
  private boolean ending;

  /**
   * Prepares the steps of a piece of work.
   *
   * @param work the piece of work
   */
  public HandlingTransaction(Work work) {
    this.work = work;
    if (work instanceof Work.Handle handle) {
      noteStarts(handle.mark());
      add(BEGIN, new Step.Look(handle.tasks().stream().map(Task::sighting).toList()));
    } else if (work instanceof Work.Retry retry) {
      noteStarts(retry.mark());
      add(BEGIN, new Step.LookAgain(deferred(retry.task())));
    } else if (work instanceof Work.Defer defer) {
      add(BEGIN, new Step.Defer(defer.event()));
      forgetStarts(defer.mark().suspects());
      commitWith(new Fate.PutOff());
    } else if (work instanceof Work.Postpone postpone) {
      add(BEGIN, new Step.Postpone(postpone.event()));
      commitWith(new Fate.PutOff());
    } else if (work instanceof Work.Bury bury) {
      add(BEGIN, look(bury.task()));
    }
  }

  /**
   * The first step.
   *
   * @return what to do
   */
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
    if (answer instanceof Answer.StoreFailed failed) {
      storeFailed(failed);
    } else if (answer instanceof Answer.Refused no) {
      refused |= failure == null && down == null;
      storeFailed(new Answer.StoreFailed(no.reason(), false));
    } else if (answer instanceof Answer.Threw threw) {
      threw(threw.failure());
    } else if (answer instanceof Answer.Sights sights) {
      looked(sights.sights());
    } else if (answer instanceof Answer.Handled handled && current instanceof Step.Handle handle) {
      handled(handled, handle.tasks().size());
    } else if (answer instanceof Answer.Starts starts) {
      lookedAtStarts(starts.counts());
    } else if (current instanceof Step.Started) {
      open = true;
    } else if (current instanceof Step.Ended) {
      open = false;
    } else if (current instanceof Step.Commit) {
      marked = true;
      List<String> left = staySuspect;
      staySuspect = List.of();
      noteEnd(left);
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
      return new Outcome.Failed(failure, open);
    }
    if (down == null) {
      return new Outcome.Done(fates);
    }
    return refused
        ? new Outcome.Refused(down.reason(), open)
        : new Outcome.StoreDown(down.reason(), down.transientFailure(), open);
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

  /** A start that is still open from a failed try is ended first: that one ended, after all. */
  private void noteStarts(Work.Mark mark) {
    open = mark.open();
    if (!mark.suspects().isEmpty()) {
      add(BEGIN);
      if (mark.open()) {
        add(new Step.Ended(mark.suspects()));
      }
      add(new Step.LookAtStarts(mark.suspects()), new Step.Started(mark.suspects()), COMMIT);
    }
  }

  private void lookedAtStarts(Map<String, Integer> counts) {
    Work.Mark mark = mark();
    int most = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    if (mark.alone() ? most <= mark.limit() : most == 0) {
      return;
    }
    steps.clear();
    add(COMMIT);
    for (Task task : tasks()) {
      int starts = counts.getOrDefault(task.sighting().eventId(), 0);
      fates.add(mark.alone() ? killed(mark.limit()) : aside(starts));
    }
  }

  private static Fate aside(int starts) {
    return starts == 0 ? new Fate.Unhandled() : new Fate.MustBeAlone(starts);
  }

  private static Fate killed(int times) {
    return new Fate.ToBury(
        "killed-the-process",
        "the process died " + times + " times while it was handling this event and nothing else");
  }

  private Work.Mark mark() {
    if (work instanceof Work.Retry retry) {
      return retry.mark();
    }
    return work instanceof Work.Handle handle ? handle.mark() : Work.Mark.NONE;
  }

  private List<Task> tasks() {
    if (work instanceof Work.Retry retry) {
      return List.of(retry.task());
    }
    return work instanceof Work.Handle handle ? handle.tasks() : List.of();
  }

  private static Step look(Task task) {
    return task.deferred() == null
        ? new Step.NoteDead(task.sighting())
        : new Step.LookAgain(deferred(task));
  }

  private static DeferredEvent deferred(Task task) {
    return Objects.requireNonNull(task.deferred(), "deferred");
  }

  private void forgetStarts(List<String> eventIds) {
    if (!eventIds.isEmpty()) {
      add(new Step.ForgetStarts(eventIds));
    }
  }

  private void looked(List<Sight> sights) {
    if (work instanceof Work.Handle handle) {
      lookedAtDeliveries(handle, sights);
    } else if (work instanceof Work.Retry retry) {
      lookedAtDeferred(retry, sights.get(0));
    } else if (work instanceof Work.Bury bury) {
      lookedAtDead(bury, sights.get(0));
    }
  }

  private void lookedAtDeliveries(Work.Handle handle, List<Sight> sights) {
    List<Task> fresh = new ArrayList<>();
    for (int i = 0; i < sights.size(); i++) {
      Task task = handle.tasks().get(i);
      Sight sight = sights.get(i);
      if (sight instanceof Sight.Seen seen) {
        fates.add(new Fate.Duplicate(seen.age()));
      } else if (sight instanceof Sight.Fresh) {
        expectHandled();
        fresh.add(task);
      } else {
        fates.add(new Fate.WentBehind());
        add(new Step.Defer(task.put(0, 0, "", null)));
      }
    }
    // Only single events have such a plan.
    if (!fresh.isEmpty() && fresh.get(0).plan() instanceof Plan.Bury bury) {
      fates.clear();
      endWith(new Fate.ToBury(bury.reason(), bury.detail()));
      return;
    }
    call(fresh);
    finish(handle);
  }

  /**
   * What is not done with stays suspect: if it, or another copy of it, has killed the process, that
   * still counts.
   */
  private void finish(Work.Handle handle) {
    Set<String> left = new HashSet<>();
    for (int i = 0; i < fates.size(); i++) {
      if (fates.get(i) instanceof Fate.WentBehind || fates.get(i) instanceof Fate.Unhandled) {
        left.add(handle.tasks().get(i).sighting().eventId());
      }
    }
    List<String> suspects = handle.mark().suspects();
    staySuspect = suspects.stream().filter(left::contains).toList();
    forgetStarts(suspects.stream().filter(id -> !left.contains(id)).toList());
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
    Map<String, Sighting> left = new LinkedHashMap<>();
    for (int place : uncalled) {
      Sighting sighting = tasks.get(place).sighting();
      left.put(sighting.eventId(), sighting);
    }
    uncalled.clear();
    for (int i = 0; i < fates.size(); i++) {
      if (left.containsKey(tasks.get(i).sighting().eventId())) {
        fates.set(i, new Fate.Unhandled());
      }
    }
    add(new Step.TakeBack(List.copyOf(left.values())));
    finish(handle);
  }

  private void lookedAtDeferred(Work.Retry retry, Sight sight) {
    Task task = retry.task();
    DeferredEvent event = deferred(task);
    if (sight instanceof Sight.Lost || sight instanceof Sight.Behind) {
      endWith(new Fate.Lost());
      noteEnd(mark().suspects());
    } else if (sight instanceof Sight.Seen seen) {
      add(new Step.Forget(event));
      forgetStarts(retry.mark().suspects());
      commitWith(new Fate.Duplicate(seen.age()));
    } else if (event.deadReason() != null) {
      // Its letter may be out already, whatever this version would do with it.
      endWith(new Fate.ToBury(event.deadReason(), event.failure()));
    } else if (task.plan() instanceof Plan.Halt halt) {
      // There is no lane to stop: it is tried again until its attempts are used up.
      threw(new Failure(true, halt.detail()));
    } else if (task.plan() instanceof Plan.Bury bury) {
      endWith(new Fate.ToBury(bury.reason(), bury.detail()));
    } else if (task.plan() instanceof Plan.Handle || task.plan() instanceof Plan.Ignore) {
      handleDeferred(retry, event);
    } else {
      throw new IllegalStateException("no plan for a deferred event: " + task.plan());
    }
  }

  private void handleDeferred(Work.Retry retry, DeferredEvent event) {
    Task task = retry.task();
    expectHandled();
    if (task.plan() instanceof Plan.Handle) {
      add(new Step.Handle(List.of(task)));
    }
    add(new Step.Forget(event));
    forgetStarts(retry.mark().suspects());
    add(COMMIT);
  }

  private void lookedAtDead(Work.Bury bury, Sight sight) {
    Task task = bury.task();
    if (sight instanceof Sight.Lost) {
      endWith(new Fate.Buried());
      return;
    }
    if (task.deferred() == null) {
      forgetStarts(bury.mark().suspects());
    } else {
      // Who gave it up may have been another one.
      add(new Step.Forget(deferred(task)));
      forgetStarts(List.of(task.sighting().eventId()));
    }
    commitWith(new Fate.Buried());
  }

  private void threw(Failure how) {
    failure = how;
    fates.clear();
    steps.clear();
    add(ROLLBACK);
    noteEnd(mark().suspects());
  }

  /**
   * What has failed first counts: the handler's failure or the database's. Only the note that the
   * start ended is still tried, once.
   */
  private void storeFailed(Answer.StoreFailed failed) {
    steps.clear();
    fates.clear();
    add(ROLLBACK);
    if (failure != null || down != null || ending) {
      down = down == null ? failed : down;
      open = true;
      return;
    }
    down = failed;
    open |= !marked && mark().open();
    noteEnd(mark().suspects());
  }

  private void noteEnd(List<String> eventIds) {
    if (open && !eventIds.isEmpty()) {
      ending = true;
      add(BEGIN, new Step.Ended(eventIds), COMMIT);
    }
  }
}
