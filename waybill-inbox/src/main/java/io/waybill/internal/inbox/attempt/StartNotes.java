package io.waybill.internal.inbox.attempt;

import static io.waybill.internal.inbox.attempt.HandlingTransaction.BEGIN;
import static io.waybill.internal.inbox.attempt.HandlingTransaction.COMMIT;

import io.waybill.internal.inbox.attempt.Outcome.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The records of starts around a handling: before it, that the suspects among its events start;
 * after it, that they ended.
 *
 * <p>The starts of events that may have killed the process are recorded in a separate transaction.
 * An event with an earlier start that has no end is handled only while nothing else is. It is
 * dead-lettered when the process has died with it too often. An event that was merely in progress
 * at the same time as another one has one such start, from before it had to be alone; that start
 * does not count.
 */
final class StartNotes {
  private final Work.Mark mark;
  private boolean open;
  // The note of the starts is committed.
  private boolean marked;
  // Of these what is noted stays after the commit, but for their start.
  private List<String> staySuspect = List.of();
  // The note of the end is on its way.
  private boolean ending;

  StartNotes(Work work) {
    this.mark = work.marked();
    this.open = mark.open();
  }

  /** Whether a start is noted that has no end. */
  boolean open() {
    return open;
  }

  boolean ending() {
    return ending;
  }

  /** A start that is still open from a failed try is ended first: that one ended, after all. */
  List<Step> before() {
    List<Step> steps = new ArrayList<>();
    if (!mark.suspects().isEmpty()) {
      steps.add(BEGIN);
      if (mark.open()) {
        steps.add(new Step.Ended(mark.suspects()));
      }
      steps.add(new Step.LookAtStarts(mark.suspects()));
      steps.add(new Step.Started(mark.suspects()));
      steps.add(COMMIT);
    }
    return steps;
  }

  /** Whether the events may be handled after so many starts without an end. */
  boolean permit(Map<String, Integer> counts) {
    int most = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    return mark.alone() ? most <= mark.limit() : most == 0;
  }

  /** What becomes of an event with so many starts if they may not. */
  Fate instead(int starts) {
    if (mark.alone()) {
      return new Fate.ToBury(
          "killed-the-process",
          "the process died "
              + mark.limit()
              + " times while it was handling this event and nothing else");
    }
    return starts == 0 ? new Fate.Unhandled() : new Fate.MustBeAlone(starts);
  }

  /** The other suspects are suspects no longer; these stay, but for their start. */
  List<Step> forgetAllBut(Set<String> left) {
    staySuspect = mark.suspects().stream().filter(left::contains).toList();
    return forget(mark.suspects().stream().filter(id -> !left.contains(id)).toList());
  }

  static List<Step> forget(List<String> eventIds) {
    return eventIds.isEmpty() ? List.of() : List.of(new Step.ForgetStarts(eventIds));
  }

  /** A step is done. Returns those that follow it. */
  List<Step> after(Step done) {
    if (done.kind() == Step.Kind.STARTED) {
      open = true;
    } else if (done.kind() == Step.Kind.ENDED) {
      open = false;
    } else if (done.kind() == Step.Kind.COMMIT) {
      marked = true;
      List<String> left = staySuspect;
      staySuspect = List.of();
      return end(left);
    }
    return List.of();
  }

  /** The handling ended without a commit. */
  List<Step> end() {
    return end(mark.suspects());
  }

  private List<Step> end(List<String> eventIds) {
    if (!open || eventIds.isEmpty()) {
      return List.of();
    }
    ending = true;
    return List.of(BEGIN, new Step.Ended(eventIds), COMMIT);
  }

  /** Whether its end was noted is not known. */
  void lost() {
    open = true;
  }

  /** Nothing of the transaction is left: what was open before it is open still. */
  void undone() {
    open |= !marked && mark.open();
  }
}
