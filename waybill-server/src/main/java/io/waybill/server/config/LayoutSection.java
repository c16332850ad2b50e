package io.waybill.server.config;

import io.waybill.layout.InvalidLayoutException;
import io.waybill.layout.Layout;
import io.waybill.layout.LayoutBuilder;
import io.waybill.layout.OrderColumn;
import io.waybill.layout.PayloadKind;
import io.waybill.layout.RecordTable;
import io.waybill.layout.RowIdKind;
import io.waybill.layout.StateColumn;
import io.waybill.message.Violation;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a layout that no preset has: which column holds what. */
final class LayoutSection {
  private static final Map<String, String> KEYS =
      Map.of("orderedBy", "order.column", "rowId", "row-id.column", "payload", "payload.column");

  private final Section section;
  private final LayoutBuilder layout;

  private LayoutSection(Section section, String name, String table) {
    this.section = section;
    this.layout = Layout.builder(name, table);
  }

  /** How a table says which rows wait. */
  private enum State {
    PRESENCE,
    BOOLEAN,
    STRING,
    ENUM
  }

  /** The layout, or null after a problem. */
  static @Nullable Layout read(Section section, String name, String table) {
    LayoutSection reader = new LayoutSection(section, name, table);
    reader.columns();
    section.done();
    try {
      return reader.layout.build();
    } catch (InvalidLayoutException e) {
      e.violations().forEach(reader::broken);
      return null;
    }
  }

  /** The column of the order of a preset that has none. */
  static OrderColumn order(Section order) {
    OrderColumn column =
        new OrderColumn(
            column(order, "column", ""),
            order.choice("type", OrderColumn.Kind.class, OrderColumn.Kind.TIME));
    if (column.column().isEmpty()) {
      order.problem("column", "must be given");
    }
    order.done();
    return column;
  }

  private void columns() {
    Section id = section.section("row-id");
    layout.rowId(column(id, "column", "id"), id.choice("type", RowIdKind.class, RowIdKind.LONG));
    id.done();
    Section payload = section.section("payload");
    layout.payload(
        column(payload, "column", "payload"),
        payload.choice("type", PayloadKind.class, PayloadKind.JSON));
    payload.done();
    layout.eventType(column(section, "event-type", "event_type"));
    section.text("event-id").ifPresent(layout::eventId);
    section.text("event-version").ifPresent(layout::eventVersion);
    section.text("content-type-column").ifPresent(layout::contentTypeColumn);
    section.text("content-type").ifPresent(layout::contentType);
    section.text("headers").ifPresent(layout::headers);
    layout.context(
        section.text("correlation-id").orElse(null),
        section.text("causation-id").orElse(null),
        section.text("traceparent").orElse(null));
    section.texts("header-columns").forEach(layout::headerColumn);
    layout.createdAt(section.text("created-at").orElse(null));
    section.text("available-at").ifPresent(layout::availableAt);
    section.text("lane").ifPresent(layout::lane);
    key();
    if (section.has("order")) {
      OrderColumn order = order(section.section("order"));
      layout.orderedBy(order.column(), order.kind());
    }
    layout.state(state());
    section.text("published-at").ifPresent(layout::publishedAt);
    section.text("attempts").ifPresent(layout::attempts);
    section.text("next-attempt-at").ifPresent(layout::nextAttemptAt);
    section.text("error").ifPresent(layout::error);
    if (section.has("record")) {
      Section record = section.section("record");
      RecordTable usual = RecordTable.PROCESSED_EVENT;
      layout.record(
          new RecordTable(
              column(record, "table", usual.name()),
              column(record, "event-id", usual.eventId()),
              column(record, "status", usual.status()),
              column(record, "created-at", usual.createdAt()),
              column(record, "updated-at", usual.updatedAt())));
      record.done();
    }
  }

  private void key() {
    if (!section.has("key")) {
      return;
    }
    Section key = section.section("key");
    Optional<String> type = key.text("type");
    Optional<String> same = key.text("aggregate-type");
    String id = column(key, "id", "");
    if (id.isEmpty()) {
      key.problem("id", "must be given");
    }
    if (type.isPresent() == same.isPresent()) {
      key.problem(
          "type", "must be given, or aggregate-type for the same in every row, but not both");
    }
    if (type.isPresent()) {
      layout.key(type.get(), id);
    } else {
      layout.singleKey(id, same.orElse("none"));
    }
    key.done();
  }

  private StateColumn state() {
    if (!section.has("state")) {
      section.problem("state", "must be given: type presence, boolean, string or enum");
    }
    Section state = section.section("state");
    State type = state.choice("type", State.class, State.PRESENCE);
    StateColumn column =
        switch (type) {
          case PRESENCE -> new StateColumn.Presence();
          case BOOLEAN -> new StateColumn.Flag(given(state, "column"));
          case STRING, ENUM ->
              new StateColumn.Word(
                  given(state, "column"),
                  given(state, "pending"),
                  given(state, "published"),
                  given(state, "dead"));
        };
    state.done();
    return column;
  }

  private static String given(Section section, String key) {
    Optional<String> text = section.text(key);
    if (text.isEmpty()) {
      section.problem(key, "must be given");
    }
    // Stands for what is missing while the rest is checked; differs from key to key.
    return text.orElse("missing_" + key);
  }

  private static String column(Section section, String key, String fallback) {
    return section.text(key, fallback);
  }

  private void broken(Violation violation) {
    String field = violation.field();
    String key = KEYS.getOrDefault(field, kebab(field));
    String value = violation.value() == null ? "" : violation.value();
    section.problem(key, violation.rule(), value);
  }

  private static String kebab(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }
}
