package io.waybill.route;

import io.waybill.message.EventKey;
import io.waybill.message.Headers;
import io.waybill.store.OutboxRow;
import org.jspecify.annotations.Nullable;

/** A field of a row that templates can name. */
sealed interface Field {
  String HEADER_PREFIX = "header.";

  /** The field's text, or null if the row has none. */
  @Nullable String of(OutboxRow row, Headers headers);

  /** The name in templates. */
  String templateName();

  /** Whether the value follows from event type and aggregate type alone. */
  boolean perType();

  /** The field of that name, or null. */
  static @Nullable Field named(String name) {
    if (name.startsWith(HEADER_PREFIX) && name.length() > HEADER_PREFIX.length()) {
      return new HeaderField(name.substring(HEADER_PREFIX.length()));
    }
    for (RowField field : RowField.values()) {
      if (field.templateName().equals(name)) {
        return field;
      }
    }
    return null;
  }

  /** A column. */
  enum RowField implements Field {
    EVENT_ID("eventId"),
    EVENT_TYPE("eventType"),
    EVENT_VERSION("eventVersion"),
    AGGREGATE_TYPE("aggregateType"),
    AGGREGATE_ID("aggregateId"),
    CONTENT_TYPE("contentType"),
    CORRELATION_ID("correlationId"),
    CAUSATION_ID("causationId");

    private final String templateName;

    RowField(String templateName) {
      this.templateName = templateName;
    }

    @Override
    public @Nullable String of(OutboxRow row, Headers headers) {
      EventKey key = row.key();
      return switch (this) {
        case EVENT_ID -> row.eventId();
        case EVENT_TYPE -> row.eventType();
        case EVENT_VERSION -> Integer.toString(row.eventVersion());
        case AGGREGATE_TYPE -> key == null ? null : key.aggregateType();
        case AGGREGATE_ID -> key == null ? null : key.aggregateId();
        case CONTENT_TYPE -> row.contentType();
        case CORRELATION_ID -> row.correlationId();
        case CAUSATION_ID -> row.causationId();
      };
    }

    @Override
    public String templateName() {
      return templateName;
    }

    @Override
    public boolean perType() {
      return this == EVENT_TYPE || this == AGGREGATE_TYPE;
    }
  }

  /** One of the event's own headers. */
  record HeaderField(String name) implements Field {
    @Override
    public @Nullable String of(OutboxRow row, Headers headers) {
      return headers.get(name);
    }

    @Override
    public String templateName() {
      return HEADER_PREFIX + name;
    }

    @Override
    public boolean perType() {
      return false;
    }
  }
}
