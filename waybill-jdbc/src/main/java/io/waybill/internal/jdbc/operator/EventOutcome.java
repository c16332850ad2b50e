package io.waybill.internal.jdbc.operator;

import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.store.OperatorRequest.Verb;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of an event for which something was requested.
 *
 * @param kind what
 * @param reason why it was refused, or the class of the failure
 * @param detail one sentence about the failure
 */
public record EventOutcome(Kind kind, @Nullable String reason, @Nullable String detail) {
  /** What became of it. */
  public enum Kind {
    /** A relay has carried the request out; of a retry, more follows. */
    DONE,
    /** A relay has refused the request. */
    REFUSED,
    /** The event was published. */
    PUBLISHED,
    /** The event failed again. */
    FAILED,
    /** Nobody can tell. */
    UNCLEAR
  }

  /**
   * The outcome of a request that a relay has answered.
   *
   * @param verb what was requested
   * @param requestedAt when
   * @param done whether the relay carried it out
   * @param note what the relay says
   * @param event the event now; null if it is gone: published rows may be deleted, also before a
   *     relay looks at a request about them
   * @return outcome, or null of a retry whose event has neither been published nor failed
   */
  public static @Nullable EventOutcome of(
      Verb verb,
      Instant requestedAt,
      boolean done,
      @Nullable String note,
      @Nullable EventView event) {
    if (verb != Verb.RETRY) {
      return new EventOutcome(done ? Kind.DONE : Kind.REFUSED, done ? null : note, null);
    }
    if (event == null || event.status() == EventStatus.PUBLISHED) {
      return new EventOutcome(Kind.PUBLISHED, null, null);
    }
    if (!done) {
      return new EventOutcome(Kind.REFUSED, note, null);
    }
    return isFailed(event, requestedAt)
        ? new EventOutcome(Kind.FAILED, event.reason(), event.detail())
        : null;
  }

  /** One line about it, or null if there is nothing to say. */
  @Nullable String note() {
    return detail == null ? reason : reason + ": " + detail;
  }

  /** By a failure after the request: that may be written together with the answer. */
  private static boolean isFailed(EventView event, Instant since) {
    Instant failed = event.failedAt();
    return (event.status() != EventStatus.PENDING || event.attempts() > 0)
        && (failed == null || failed.isAfter(since));
  }
}
