package io.waybill.outbox;

import io.waybill.internal.text.Quoted;
import org.jspecify.annotations.Nullable;

/**
 * The outbox, or the same call, already has an event with this id. If the database found it, the
 * transaction is aborted: it can only be rolled back, entirely or to a savepoint before the append.
 */
public class DuplicateEventException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final @Nullable String eventId;

  DuplicateEventException(@Nullable String eventId, String detail, @Nullable Throwable cause) {
    super(message(eventId, detail), cause);
    this.eventId = eventId;
  }

  /**
   * The duplicate id.
   *
   * @return the id, or null if the database did not say which of several it was, since the writer
   *     has no right to read the table
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
