package io.waybill.internal.jdbc.operator;

import io.waybill.admin.EventFilter;
import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.operator.JobRun.Pace;
import io.waybill.internal.jdbc.operator.JobRun.Tally;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change of many events, or a redrive of dead letters: planned first, then run.
 *
 * @param id grows with time
 * @param state how far it is
 * @param verb what is done with each event: a request to relays by its name, or {@link #REDRIVE}
 * @param source topic or queue that the dead letters come from; null for events of the outbox
 * @param despiteLimit whether its queue is read though the broker may drop letters for it
 * @param filter conditions that an event has to meet when it is asked for, without event ids; none
 *     for dead letters, which are listed one by one
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
    String verb,
    @Nullable String source,
    boolean despiteLimit,
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
  /** Sends dead letters to where they came from. */
  public static final String REDRIVE = "REDRIVE";

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
   * @param eventId its id; empty for a dead letter that names none
   * @param place where a dead letter lies, or null
   * @param consumer who is to handle a dead letter, or null
   * @param outcome what became of it
   * @param note why it was skipped or refused, or how it failed; null if there is nothing to say
   */
  public record Event(
      int number,
      String eventId,
      @Nullable String place,
      @Nullable String consumer,
      Outcome outcome,
      @Nullable String note) {}

  /** What became of an event. */
  public enum Outcome {
    /** Not asked for yet. */
    PLANNED,
    /** Asked for, or sent, without an answer. */
    REQUESTED,
    /** A relay has done what was requested, or the consumer has applied the dead letter. */
    DONE,
    /** Published. */
    PUBLISHED,
    /** Failed again, or is a dead letter again. */
    FAILED,
    /** Refused by the relay; a dead letter: not confirmed by the broker. */
    REFUSED,
    /** Not asked for: it was not as planned any more, or the same was requested already. */
    SKIPPED,
    /** Sent to a consumer that keeps elsewhere what it has applied. */
    UNCLEAR;

    static Outcome of(EventOutcome.Kind kind) {
      return switch (kind) {
        case DONE -> DONE;
        case PUBLISHED -> PUBLISHED;
        case FAILED -> FAILED;
        case REFUSED -> REFUSED;
        case UNCLEAR -> UNCLEAR;
      };
    }
  }

  /** Who has let it run, and why. */
  Instruction instruction() {
    return new Instruction(Objects.requireNonNull(requestedBy), Objects.requireNonNull(reason));
  }

  /** Events for which something was requested. */
  public int requested() {
    return tally.known() + open;
  }
}
