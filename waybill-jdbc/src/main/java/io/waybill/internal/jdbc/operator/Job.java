package io.waybill.internal.jdbc.operator;

import io.waybill.admin.EventFilter;
import io.waybill.internal.jdbc.operator.JobRun.Pace;
import io.waybill.internal.jdbc.operator.JobRun.Tally;
import io.waybill.store.OperatorRequest.Verb;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change of many events: planned first, then run.
 *
 * @param id grows with time
 * @param state how far it is
 * @param verb what is requested for each event
 * @param filter conditions that an event has to meet when it is asked for, without event ids
 * @param matched how many events it means, counted up to {@link Jobs#MOST_COUNTED}
 * @param more whether it means more than that
 * @param pace how carefully it goes on
 * @param tally outcomes
 * @param open events that were asked for and have no outcome
 * @param plannedBy who planned it
 * @param plannedAt when
 * @param requestedBy who let it run, or null
 * @param reason why, or null
 * @param startedAt when, or null
 * @param endedAt when it ended, or null
 * @param note why it is paused, was stopped or cancelled, or null
 * @param runner the process that carries it out, or null
 */
public record Job(
    long id,
    State state,
    Verb verb,
    EventFilter filter,
    int matched,
    boolean more,
    Pace pace,
    Tally tally,
    int open,
    String plannedBy,
    Instant plannedAt,
    @Nullable String requestedBy,
    @Nullable String reason,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String note,
    @Nullable String runner) {

  /** How far it is. */
  public enum State {
    /** Nothing was requested. */
    PLANNED,
    /** Some process carries it out, or the next that has time. */
    RUNNING,
    /** An operator has paused it. */
    PAUSED,
    /** All its events were asked for, or skipped, and have an outcome. */
    DONE,
    /** It has stopped by itself; the note says why. */
    STOPPED,
    /** An operator has given it up. */
    CANCELLED;

    boolean isEnd() {
      return this == DONE || this == STOPPED || this == CANCELLED;
    }
  }

  /**
   * An event of a job.
   *
   * @param number its place
   * @param eventId its id
   * @param outcome what became of it
   * @param note why it was skipped or refused, or how it failed; null if there is nothing to say
   */
  public record Event(int number, String eventId, Outcome outcome, @Nullable String note) {}

  /** What became of an event. */
  public enum Outcome {
    /** Not asked for yet. */
    PLANNED,
    /** Asked for, without an answer. */
    REQUESTED,
    /** A relay has done what was requested. */
    DONE,
    /** Published. */
    PUBLISHED,
    /** Failed again. */
    FAILED,
    /** Refused by the relay. */
    REFUSED,
    /** Not asked for: it was not as planned any more, or the same was requested already. */
    SKIPPED;

    static Outcome of(EventOutcome.Kind kind) {
      return switch (kind) {
        case DONE -> DONE;
        case PUBLISHED -> PUBLISHED;
        case FAILED -> FAILED;
        case REFUSED -> REFUSED;
      };
    }
  }

  /** Events for which something was requested. */
  public int requested() {
    return tally.known() + open;
  }
}
