package io.waybill.spring.properties;

import io.waybill.layout.OrderColumn;
import io.waybill.layout.PayloadKind;
import io.waybill.layout.RowIdKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which column of an adopted table holds what, for layout custom. The table lacks the columns that
 * are left out.
 *
 * @param rowId primary key
 * @param eventId id of the event; default: derived from table and row id
 * @param eventType type of the event
 * @param eventVersion version of the type; default: 1 in every row
 * @param key key of the event, within which order is kept; default: no key
 * @param order column that defines the order; default: the row id
 * @param createdAt when the row was written
 * @param availableAt when the row may be published
 * @param lane lane, 0 to lanes - 1; without it one relay at a time owns the table
 * @param payload payload
 * @param contentTypeColumn content type of the payload
 * @param contentType content type of rows without one
 * @param headers a JSON object
 * @param correlationId correlation id
 * @param causationId causation id
 * @param traceparent W3C trace context
 * @param headerColumns headers by column
 * @param state how the table marks waiting rows
 * @param publishedAt when the event was published
 * @param attempts number of attempts
 * @param nextAttemptAt when the next attempt is due
 * @param error why it failed
 * @param record table that records what is done with each event
 */
public record ColumnsProperties(
    @DefaultValue RowId rowId,
    @Nullable String eventId,
    @DefaultValue("event_type") String eventType,
    @Nullable String eventVersion,
    @Nullable Key key,
    @Nullable Order order,
    @Nullable String createdAt,
    @Nullable String availableAt,
    @Nullable String lane,
    @DefaultValue Payload payload,
    @Nullable String contentTypeColumn,
    @Nullable String contentType,
    @Nullable String headers,
    @Nullable String correlationId,
    @Nullable String causationId,
    @Nullable String traceparent,
    @DefaultValue Map<String, String> headerColumns,
    @Nullable State state,
    @Nullable String publishedAt,
    @Nullable String attempts,
    @Nullable String nextAttemptAt,
    @Nullable String error,
    @Nullable ProcessedTable record) {

  /**
   * The primary key.
   *
   * @param column the column
   * @param type its type
   */
  public record RowId(@DefaultValue("id") String column, @DefaultValue("long") RowIdKind type) {}

  /**
   * The key of events.
   *
   * @param type column of its first part
   * @param id column of its second part
   * @param aggregateType its first part in every row, in place of a column
   */
  public record Key(@Nullable String type, @Nullable String id, @Nullable String aggregateType) {}

  /**
   * The order of rows.
   *
   * @param column the column
   * @param type its type
   */
  public record Order(@Nullable String column, @DefaultValue("time") OrderColumn.Kind type) {}

  /**
   * The payload.
   *
   * @param column the column
   * @param type its type
   */
  public record Payload(
      @DefaultValue("payload") String column, @DefaultValue("json") PayloadKind type) {}

  /**
   * How a table marks waiting rows.
   *
   * @param type kind of mark
   * @param column the column; not with presence
   * @param pending word of rows that wait, for string and enum
   * @param published word of published rows
   * @param dead word of dead rows
   */
  public record State(
      @DefaultValue("presence") StateType type,
      @Nullable String column,
      @Nullable String pending,
      @Nullable String published,
      @Nullable String dead) {}

  /** The ways to mark waiting rows. */
  public enum StateType {
    /** A published row is deleted. */
    PRESENCE,
    /** A flag marks it as published. */
    BOOLEAN,
    /** A word in a column of text. */
    STRING,
    /** A word of the database's own type. */
    ENUM
  }

  /**
   * A table that records what is done with each event.
   *
   * @param table its name
   * @param eventId column of the event's id
   * @param status column of the status
   * @param createdAt column of the creation time
   * @param updatedAt column of the last change
   */
  public record ProcessedTable(
      @DefaultValue("processed_event") String table,
      @DefaultValue("event_id") String eventId,
      @DefaultValue("status") String status,
      @DefaultValue("created_at") String createdAt,
      @DefaultValue("updated_at") String updatedAt) {}
}
