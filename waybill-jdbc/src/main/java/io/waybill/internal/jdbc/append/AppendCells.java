package io.waybill.internal.jdbc.append;

import io.waybill.internal.jdbc.append.AppendCell.Value;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.kernel.TableColumns;
import io.waybill.internal.jdbc.kernel.TableColumns.Column;
import io.waybill.internal.store.HeaderJson;
import io.waybill.layout.Content;
import io.waybill.layout.Identity;
import io.waybill.layout.KeyColumns;
import io.waybill.layout.Layout;
import io.waybill.layout.PayloadKind;
import io.waybill.layout.StateColumn;
import io.waybill.message.Event;
import io.waybill.message.EventKey;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Which columns of a layout's table an appended event fills, and with what. */
public final class AppendCells {
  private final Layout layout;
  private final SqlDialect dialect;
  private final TableColumns columns;
  private final List<AppendCell> cells = new ArrayList<>();

  private AppendCells(Layout layout, SqlDialect dialect, TableColumns columns) {
    this.layout = layout;
    this.dialect = dialect;
    this.columns = columns;
  }

  /**
   * The cells.
   *
   * @throws IllegalStateException if the table lacks a column of the layout
   */
  public static List<AppendCell> of(Layout layout, SqlDialect dialect, TableColumns columns) {
    AppendCells all = new AppendCells(layout, dialect, columns);
    all.identity();
    all.key();
    all.content();
    all.times();
    all.state();
    return all.cells;
  }

  private void identity() {
    Identity identity = layout.identity();
    if (identity.rowId().equals(identity.eventId())) {
      text("id", identity.eventId(), Event::id);
    } else {
      Column column = column(identity.rowId());
      if (!column.defaulted()) {
        add(column, "row id", dialect.idParameter(identity.kind()), AppendCell.Row::rowId);
      }
      text("id", identity.eventId(), Event::id);
    }
    text("type", identity.eventType(), Event::type);
    text("version", identity.eventVersion(), event -> Integer.toString(event.version()));
  }

  private void key() {
    if (layout.order().key() instanceof KeyColumns.TypeAndId key) {
      text("aggregateType", key.type(), event -> key(event, EventKey::aggregateType));
      text("aggregateId", key.id(), event -> key(event, EventKey::aggregateId));
    } else if (layout.order().key() instanceof KeyColumns.Single key) {
      boolean correlates = key.id().equals(layout.content().context().correlationId());
      text("aggregateId", key.id(), event -> correlates ? either(event) : id(event));
    }
  }

  private static @Nullable String id(Event event) {
    return key(event, EventKey::aggregateId);
  }

  /** The key, where the correlation id serves as one. */
  private static @Nullable String either(Event event) {
    String id = id(event);
    return id == null ? event.correlationId() : id;
  }

  private static @Nullable String key(Event event, Function<EventKey, String> part) {
    EventKey key = event.key();
    return key == null ? null : part.apply(key);
  }

  private void content() {
    Content content = layout.content();
    Column payload = column(content.payload());
    if (content.kind() == PayloadKind.BYTES) {
      add(payload, "payload", "?", row -> row.event().payload().bytes());
    } else {
      add(
          payload,
          "payload",
          dialect.parameter(payload.type()),
          row -> payloadText(row.event().payload().bytes()));
    }
    text("contentType", content.contentTypeColumn(), event -> event.payload().contentType());
    Collection<String> named = content.context().headerColumns().values();
    text("headers", content.context().headers(), event -> HeaderJson.write(rest(event, named)));
    content
        .context()
        .headerColumns()
        .forEach(
            (column, header) ->
                text("header " + header, column, event -> event.headers().get(header)));
    text("correlationId", content.context().correlationId(), Event::correlationId);
    text("causationId", content.context().causationId(), Event::causationId);
    text("traceparent", content.context().traceparent(), Event::traceparent);
  }

  private static @Nullable String payloadText(byte @Nullable [] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  /** Headers that have no column of their own. */
  public static Headers rest(Event event, Collection<String> named) {
    if (named.isEmpty()) {
      return event.headers();
    }
    List<Header> rest =
        event.headers().list().stream().filter(header -> !named.contains(header.name())).toList();
    return rest.isEmpty() ? Headers.NONE : new Headers(rest);
  }

  private void times() {
    String available = layout.order().availableAt();
    if (available != null) {
      Column column = column(available);
      add(
          column,
          "availableAt",
          dialect.timeParameter(column.type()),
          row -> availableAt(row.event().availableAt(), column.type()));
    }
    String createdAt = layout.order().createdAt();
    if (createdAt == null) {
      return;
    }
    Column created = column(createdAt);
    // A default may follow the time zone of the writer's session, or be the time at which the
    // transaction began: before that of an event of the key which was written meanwhile.
    boolean misleads = !dialect.isZoned(created.type()) || dialect.stampsTransactions();
    if (!created.defaulted() || misleads) {
      add(created, "createdAt", dialect.timeNow(created.type()), null);
    }
  }

  // Up, so that no event is published before its time.
  private @Nullable String availableAt(@Nullable Instant time, String type) {
    return time == null
        ? null
        : dialect.timeText(time.plusNanos(999).truncatedTo(ChronoUnit.MICROS), type);
  }

  private void state() {
    StateColumn state = layout.progress().state();
    if (state instanceof StateColumn.Flag flag) {
      constant(flag.column(), "false");
    } else if (state instanceof StateColumn.Word word) {
      constant(word.column(), "'" + word.pending() + "'");
    }
    if (layout.progress().attempts() != null) {
      constant(layout.progress().attempts(), "0");
    }
  }

  private void constant(String name, String value) {
    Column column = column(name);
    if (!column.defaulted()) {
      add(column, name, value, null);
    }
  }

  private void text(String field, @Nullable String name, Function<Event, @Nullable String> value) {
    // A column that serves twice was filled by the first.
    if (name != null && cells.stream().noneMatch(cell -> cell.column().name().equals(name))) {
      Column column = column(name);
      add(column, field, dialect.parameter(column.type()), row -> value.apply(row.event()));
    }
  }

  private void add(Column column, String field, String sql, @Nullable Value value) {
    cells.add(new AppendCell(column, field, sql, value));
  }

  private Column column(String name) {
    Column column = columns.column(name);
    if (column == null) {
      throw new IllegalStateException(
          "Table "
              + layout.table()
              + " of layout "
              + layout.name()
              + (columns.isEmpty() ? " is not there" : " has no column " + name));
    }
    return column;
  }
}
