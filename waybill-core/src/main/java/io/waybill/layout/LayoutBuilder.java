package io.waybill.layout;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the columns of a {@link Layout}; not thread-safe. */
public final class LayoutBuilder {
  private final String name;
  private final String table;
  private final Map<String, String> headerColumns = new LinkedHashMap<>();
  private @Nullable String schema;
  private String rowId = "id";
  private RowIdKind rowIdKind = RowIdKind.LONG;
  private @Nullable String eventId;
  private String eventType = "event_type";
  private @Nullable String eventVersion;
  private KeyColumns key = new KeyColumns.None();
  private @Nullable OrderColumn orderColumn;
  private @Nullable String createdAt = "created_at";
  private @Nullable String availableAt;
  private @Nullable String lane;
  private String payload = "payload";
  private PayloadKind payloadKind = PayloadKind.JSON;
  private @Nullable String contentTypeColumn;
  private String contentType = "application/json";
  private @Nullable String headers;
  private @Nullable String correlationId;
  private @Nullable String causationId;
  private @Nullable String traceparent;
  private StateColumn state = new StateColumn.Presence();
  private @Nullable String publishedAt;
  private @Nullable String attempts;
  private @Nullable String nextAttemptAt;
  private @Nullable String error;
  private @Nullable RecordTable record;

  LayoutBuilder(String name, String table) {
    this.name = name;
    this.table = table;
  }

  /**
   * Sets the schema of the table; that of the connection by default.
   *
   * @param plainName plain name
   * @return this
   */
  public LayoutBuilder schema(String plainName) {
    schema = plainName;
    return this;
  }

  /**
   * Sets the primary key.
   *
   * @param column the column
   * @param kind its type
   * @return this
   */
  public LayoutBuilder rowId(String column, RowIdKind kind) {
    rowId = column;
    rowIdKind = kind;
    return this;
  }

  /**
   * Sets the column of the event id; by default it is derived from the table's name and the row id.
   *
   * @param column the column
   * @return this
   */
  public LayoutBuilder eventId(String column) {
    eventId = column;
    return this;
  }

  /**
   * Sets the column of the event type.
   *
   * @param column the column
   * @return this
   */
  public LayoutBuilder eventType(String column) {
    eventType = column;
    return this;
  }

  /**
   * Sets the column of the event type's version; by default, the version is 1.
   *
   * @param column the column
   * @return this
   */
  public LayoutBuilder eventVersion(String column) {
    eventVersion = column;
    return this;
  }

  /**
   * Sets the ordering key in two columns.
   *
   * @param type column of the aggregate type
   * @param id column of the aggregate id
   * @return this
   */
  public LayoutBuilder key(String type, String id) {
    key = new KeyColumns.TypeAndId(type, id);
    return this;
  }

  /**
   * Sets the ordering key in one column.
   *
   * @param id column of the aggregate id
   * @param aggregateType aggregate type of every row
   * @return this
   */
  public LayoutBuilder singleKey(String id, String aggregateType) {
    key = new KeyColumns.Single(id, aggregateType);
    return this;
  }

  /**
   * Sets the column that orders the rows; by default, the row id alone.
   *
   * @param column the column
   * @param kind its type
   * @return this
   */
  public LayoutBuilder orderedBy(String column, OrderColumn.Kind kind) {
    orderColumn = new OrderColumn(column, kind);
    return this;
  }

  /**
   * Sets the column of the creation time.
   *
   * @param column the column, or null if there is none: an event's time is then that of its read
   * @return this
   */
  public LayoutBuilder createdAt(@Nullable String column) {
    createdAt = column;
    return this;
  }

  /**
   * Sets the column of the time before which a row is not published.
   *
   * @param column the column
   * @return this
   */
  public LayoutBuilder availableAt(String column) {
    availableAt = column;
    return this;
  }

  /**
   * Sets the column of the lane; by default, there is a single lane.
   *
   * @param column the column
   * @return this
   */
  public LayoutBuilder lane(String column) {
    lane = column;
    return this;
  }

  /**
   * Sets the column of the payload.
   *
   * @param column the column
   * @param kind its type
   * @return this
   */
  public LayoutBuilder payload(String column, PayloadKind kind) {
    payload = column;
    payloadKind = kind;
    return this;
  }

  /**
   * Sets the column of the payload's media type; by default, every row is {@code application/json}.
   *
   * @param column the column
   * @return this
   */
  public LayoutBuilder contentTypeColumn(String column) {
    contentTypeColumn = column;
    return this;
  }

  /**
   * Sets the media type of rows without one.
   *
   * @param type media type
   * @return this
   */
  public LayoutBuilder contentType(String type) {
    contentType = type;
    return this;
  }

  /**
   * Sets the column of headers as a JSON object.
   *
   * @param column the column
   * @return this
   */
  public LayoutBuilder headers(String column) {
    headers = column;
    return this;
  }

  /**
   * Sets the columns of the context.
   *
   * @param correlation column of the correlation id, or null
   * @param causation column of the causation id, or null
   * @param trace column of the W3C trace context, or null
   * @return this
   */
  public LayoutBuilder context(
      @Nullable String correlation, @Nullable String causation, @Nullable String trace) {
    correlationId = correlation;
    causationId = causation;
    traceparent = trace;
    return this;
  }

  /**
   * Adds a column that becomes a header.
   *
   * @param column the column
   * @param header name of the header
   * @return this
   */
  public LayoutBuilder headerColumn(String column, String header) {
    headerColumns.put(column, header);
    return this;
  }

  /**
   * Sets how the table marks waiting rows; by default, every row in the table waits.
   *
   * @param how column and values
   * @return this
   */
  public LayoutBuilder state(StateColumn how) {
    state = how;
    return this;
  }

  /**
   * Sets the column of the time at which a row was published.
   *
   * @param column the column
   * @return this
   */
  public LayoutBuilder publishedAt(String column) {
    publishedAt = column;
    return this;
  }

  /**
   * Sets the column of the number of delivery attempts.
   *
   * @param column the column
   * @return this
   */
  public LayoutBuilder attempts(String column) {
    attempts = column;
    return this;
  }

  /**
   * Sets the column of the time of a failed row's next attempt.
   *
   * @param column the column
   * @return this
   */
  public LayoutBuilder nextAttemptAt(String column) {
    nextAttemptAt = column;
    return this;
  }

  /**
   * Sets the column of the last error.
   *
   * @param column the column
   * @return this
   */
  public LayoutBuilder error(String column) {
    error = column;
    return this;
  }

  /**
   * Sets a table that records the processing of each event; needs a column of the event id.
   *
   * @param table the table, in the schema of the outbox
   * @return this
   */
  public LayoutBuilder record(RecordTable table) {
    record = table;
    return this;
  }

  /**
   * Builds the layout.
   *
   * @return the layout
   * @throws InvalidLayoutException with all broken rules
   */
  public Layout build() {
    return new Layout(
        name,
        new TableName(schema, table),
        new Identity(rowId, rowIdKind, eventId, eventType, eventVersion),
        new Content(
            payload,
            payloadKind,
            contentTypeColumn,
            contentType,
            new Context(headers, correlationId, causationId, traceparent, headerColumns)),
        new RowOrder(key, orderColumn, createdAt, availableAt, lane),
        new Progress(state, publishedAt, attempts, nextAttemptAt, error, record));
  }
}
