package io.waybill.layout;

/**
 * A table that records for each event what a relay did with it: {@code PROCESSING} before it is
 * sent, {@code SUCCESS} after the broker's confirmation, {@code FAILED} when it is dead. The table
 * is in the schema of the outbox.
 *
 * @param name plain name of the table
 * @param eventId column of the event id, a text that is the primary key
 * @param status column of the status, a text
 * @param createdAt column of the time at which the row was written first
 * @param updatedAt column of the time at which the status was written last
 */
public record RecordTable(
    String name, String eventId, String status, String createdAt, String updatedAt) {
  /** Table {@code processed_event} as documented for the notification system. */
  public static final RecordTable PROCESSED_EVENT =
      new RecordTable("processed_event", "event_id", "status", "created_at", "updated_at");

  /** The status in a record. */
  public enum Status {
    /** A relay has the event, or had it when it ended. */
    PROCESSING,
    /** The broker confirmed it. */
    SUCCESS,
    /** The event is dead. */
    FAILED
  }
}
