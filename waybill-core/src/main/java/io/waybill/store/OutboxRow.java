package io.waybill.store;

import io.waybill.message.EventKey;
import org.jspecify.annotations.Nullable;

/**
 * One row of an outbox table, whatever its layout. Arrays are not copied and must not be changed.
 *
 * @param rowId primary key as the layout has it: {@link Long}, {@link String} or {@link
 *     java.util.UUID}
 * @param lane lane of the key
 * @param eventId event id on the wire
 * @param eventType event type
 * @param eventVersion version of the type, 1 if the layout has none; {@link #NO_VERSION} if the
 *     number in the table is no valid version
 * @param key ordering key; null when the event has no order
 * @param payload payload bytes as stored; null for a tombstone
 * @param contentType media type of the payload
 * @param headersJson the headers column as stored, a JSON object, or null
 * @param correlationId correlation id, or null
 * @param causationId causation id, or null
 * @param traceparent W3C trace context, or null
 * @param createdAtMicros creation time on the database clock, microseconds since the epoch
 * @param readAtMicros time of the read on the database clock, microseconds since the epoch
 * @param replay whether an operator requested this copy
 * @param storedBytes bytes of its payload, headers and texts in the database; 0 if not queried
 * @param whole whether its contents were read; a row that is too large comes without payload and
 *     headers, and its texts are cut
 * @param sends sends of it that were not confirmed, at least those that the table's column of
 *     attempts has; 0 if there were none, or the table has no such column
 */
public record OutboxRow(
    Object rowId,
    int lane,
    String eventId,
    String eventType,
    int eventVersion,
    @Nullable EventKey key,
    byte @Nullable [] payload,
    String contentType,
    @Nullable String headersJson,
    @Nullable String correlationId,
    @Nullable String causationId,
    @Nullable String traceparent,
    long createdAtMicros,
    long readAtMicros,
    boolean replay,
    long storedBytes,
    boolean whole,
    int sends) {
  /** Stands for an invalid version: the table has a number of more than 32 bits. */
  public static final int NO_VERSION = Integer.MIN_VALUE;

  // Objects, references and map entries around one row in flight; measured on a 64-bit JVM.
  private static final int OVERHEAD_BYTES = 600;

  /**
   * Creates a row that was read completely.
   *
   * @param rowId primary key
   * @param lane lane of the key
   * @param eventId event id on the wire
   * @param eventType event type
   * @param eventVersion version of the type
   * @param key ordering key, or null
   * @param payload payload bytes, or null
   * @param contentType media type of the payload
   * @param headersJson the headers column, or null
   * @param correlationId correlation id, or null
   * @param causationId causation id, or null
   * @param traceparent W3C trace context, or null
   * @param createdAtMicros creation time, microseconds since the epoch
   * @param readAtMicros time of the read, microseconds since the epoch
   * @param replay whether an operator requested this copy
   */
  public OutboxRow(
      Object rowId,
      int lane,
      String eventId,
      String eventType,
      int eventVersion,
      @Nullable EventKey key,
      byte @Nullable [] payload,
      String contentType,
      @Nullable String headersJson,
      @Nullable String correlationId,
      @Nullable String causationId,
      @Nullable String traceparent,
      long createdAtMicros,
      long readAtMicros,
      boolean replay) {
    this(
        rowId,
        lane,
        eventId,
        eventType,
        eventVersion,
        key,
        payload,
        contentType,
        headersJson,
        correlationId,
        causationId,
        traceparent,
        createdAtMicros,
        readAtMicros,
        replay,
        payload == null ? 0 : payload.length,
        true,
        0);
  }

  /**
   * Identifies this row.
   *
   * @return reference that no later row has
   */
  public RowRef ref() {
    return new RowRef(rowId, createdAtMicros);
  }

  /**
   * The same row as a copy that an operator requested.
   *
   * @return the row, marked as a replay
   */
  public OutboxRow asReplay() {
    return copy(true, sends);
  }

  /**
   * The same row after other sends.
   *
   * @param unconfirmed sends of it that were not confirmed
   * @return the row with this number
   */
  public OutboxRow sends(int unconfirmed) {
    return copy(replay, unconfirmed);
  }

  private OutboxRow copy(boolean asReplay, int unconfirmed) {
    return new OutboxRow(
        rowId,
        lane,
        eventId,
        eventType,
        eventVersion,
        key,
        payload,
        contentType,
        headersJson,
        correlationId,
        causationId,
        traceparent,
        createdAtMicros,
        readAtMicros,
        asReplay,
        storedBytes,
        whole,
        unconfirmed);
  }

  /**
   * The number of bytes that reading the row counted towards a bound.
   *
   * @return bytes; 0 for a row that was too large to be read
   */
  public long readBytes() {
    return whole ? storedBytes : 0;
  }

  /**
   * The memory that the row takes while it is in flight.
   *
   * @return estimate in bytes
   */
  public int sizeBytes() {
    return OVERHEAD_BYTES
        + (payload == null ? 0 : payload.length)
        + (headersJson == null ? 0 : headersJson.length());
  }
}
