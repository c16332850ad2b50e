package io.waybill.outbox;

import io.waybill.message.Quoted;
import org.jspecify.annotations.Nullable;

/**
 * The outbox, or the same call, already has an event of this id. If the database found it, the
 * transaction is aborted and can only be rolled back, or back to a savepoint before the append.
 */
public class DuplicateEventException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final @Nullable String eventId;

  DuplicateEventException(@Nullable String eventId, String detail, @Nullable Throwable cause) {
    super(message(eventId, detail), cause);
    this.eventId = eventId;
  }

  /**
   * The id that was there before.
   *
   * @return the id, or null if the database did not say which of several it was: the writer may not
   *     read the table
   */
  public @Nullable String eventId() {
    return eventId;
  }

  private static String message(@Nullable String eventId, String detail) {
    return eventId == null
        ? "An event id is a duplicate: " + detail
        : "Event id " + Quoted.of(eventId) + " is a duplicate: " + detail;
  }
}
