package io.waybill.internal.jdbc.schema;

import io.waybill.internal.jdbc.table.TableStore;
import io.waybill.layout.KeyColumns;
import io.waybill.layout.Layout;
import io.waybill.layout.OrderColumn;
import io.waybill.layout.PayloadKind;
import io.waybill.layout.StateColumn;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether the columns that a layout names are there, and of types that it can be read from. */
final class TableTypeChecks {
  private static final Set<String> INTEGERS =
      Set.of("int2", "int4", "int8", "tinyint", "smallint", "mediumint", "int", "bigint");
  // Of sends in an outage of weeks; where one does not fit, a published event could not be marked.
  private static final Set<String> COUNTS = Set.of("int4", "int8", "int", "bigint");
  private static final Set<String> TIMES = Set.of("timestamp", "timestamptz", "datetime");
  private static final Set<String> TEXTS =
      Set.of("text", "varchar", "bpchar", "char", "tinytext", "mediumtext", "longtext", "citext");
  private static final Set<String> BYTES =
      Set.of("bytea", "blob", "tinyblob", "mediumblob", "longblob", "binary", "varbinary");

  private final Layout layout;
  private final boolean mySql;
  private final Map<String, LayoutColumn> columns;
  private final List<Finding> findings = new ArrayList<>();

  TableTypeChecks(Layout layout, boolean mySql, Map<String, LayoutColumn> columns) {
    this.layout = layout;
    this.mySql = mySql;
    this.columns = columns;
  }

  List<Finding> run() {
    rowId();
    readable("event-id", layout.identity().eventId());
    readable("event-type", layout.identity().eventType());
    is("event-version", layout.identity().eventVersion(), INTEGERS);
    key();
    payload();
    readable("content-type-column", layout.content().contentTypeColumn());
    readable("headers", layout.content().context().headers());
    readable("correlation-id", layout.content().context().correlationId());
    readable("causation-id", layout.content().context().causationId());
    readable("traceparent", layout.content().context().traceparent());
    layout.content().context().headerColumns().keySet().forEach(c -> readable("header-columns", c));
    OrderColumn order = layout.order().column();
    if (order != null) {
      is("order", order.column(), order.kind() == OrderColumn.Kind.TIME ? TIMES : INTEGERS);
    }
    is("created-at", layout.order().createdAt(), TIMES);
    is("available-at", layout.order().availableAt(), TIMES);
    is("lane", layout.order().lane(), INTEGERS);
    state();
    is("published-at", layout.progress().publishedAt(), TIMES);
    is("attempts", layout.progress().attempts(), COUNTS);
    is("next-attempt-at", layout.progress().nextAttemptAt(), TIMES);
    error();
    return findings;
  }

  private void rowId() {
    String name = layout.identity().rowId();
    switch (layout.identity().kind()) {
      case LONG -> is("row-id", name, INTEGERS);
      case STRING -> is("row-id", name, TEXTS);
      case UUID -> is("row-id", name, mySql ? Set.of("char", "varchar", "uuid") : Set.of("uuid"));
    }
  }

  private void key() {
    if (layout.order().key() instanceof KeyColumns.TypeAndId key) {
      readable("key.type", key.type());
      readable("key.id", key.id());
    } else if (layout.order().key() instanceof KeyColumns.Single key) {
      readable("key.id", key.id());
    }
  }

  private void payload() {
    String name = layout.content().payload();
    if (layout.content().kind() == PayloadKind.BYTES) {
      is("payload", name, BYTES);
    } else {
      readable("payload", name);
    }
  }

  private void state() {
    if (layout.progress().state() instanceof StateColumn.Flag flag) {
      is("state", flag.column(), mySql ? Set.of("tinyint", "bit") : Set.of("bool"));
    } else if (layout.progress().state() instanceof StateColumn.Word word) {
      LayoutColumn column = found("state", word.column());
      if (column == null) {
        return;
      }
      if (column.words() == null && !TEXTS.contains(column.type())) {
        wrong("state", column, "must be a text or an enumeration");
      }
      for (String each : List.of(word.pending(), word.published(), word.dead())) {
        word(column, each);
      }
    }
  }

  private void word(LayoutColumn column, String word) {
    String words = column.words();
    String quoted = "'" + word + "'";
    boolean known =
        words == null
            || words.contains(quoted)
            // An enumeration of MySQL takes words as its collation compares them.
            || (mySql && words.toLowerCase(Locale.ROOT).contains(quoted.toLowerCase(Locale.ROOT)));
    if (!known) {
      wrong("state", column, "has no word " + quoted + ", only " + words);
    } else if (column.length() > 0 && column.length() < word.length()) {
      wrong("state", column, "is too short for the word " + quoted);
    }
  }

  private void error() {
    is("error", layout.progress().error(), TEXTS);
    LayoutColumn column = column(layout.progress().error());
    if (column != null && column.length() > 0 && column.length() < TableStore.MAX_ERROR_CHARS) {
      wrong(
          "error",
          column,
          "takes %d characters and must take %d, or a failure cannot be recorded"
              .formatted(column.length(), TableStore.MAX_ERROR_CHARS));
    }
  }

  private void readable(String field, @Nullable String name) {
    LayoutColumn column = found(field, name);
    if (column != null && BYTES.contains(column.type())) {
      wrong(field, column, "must be readable as text");
    }
  }

  private void is(String field, @Nullable String name, Set<String> types) {
    LayoutColumn column = found(field, name);
    if (column != null && !types.contains(column.type())) {
      wrong(field, column, "must be one of " + String.join(", ", types.stream().sorted().toList()));
    }
  }

  private @Nullable LayoutColumn column(@Nullable String name) {
    return name == null ? null : columns.get(name);
  }

  private @Nullable LayoutColumn found(String field, @Nullable String name) {
    LayoutColumn column = column(name);
    if (name != null && column == null) {
      add(
          Check.ADOPTED_COLUMN_MISSING,
          name,
          "It is missing, but the layout has it as " + field,
          "the name of the column in the layout, which has " + String.join(", ", columns.keySet()));
    }
    return column;
  }

  private void wrong(String field, LayoutColumn column, String rule) {
    add(
        Check.ADOPTED_COLUMN_UNSUITABLE,
        column.name(),
        "As " + field + " it " + rule + ", but its type is " + column.type(),
        "another column in the layout, or a column of such a type");
  }

  private void add(Check check, String column, String what, String fix) {
    findings.add(new Finding(check, "column " + layout.table() + "." + column, what, fix));
  }
}
