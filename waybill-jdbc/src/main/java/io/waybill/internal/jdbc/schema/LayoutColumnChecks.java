package io.waybill.internal.jdbc.schema;

import io.waybill.database.DatabaseKind;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.LayoutCatalogue;
import io.waybill.internal.jdbc.table.LayoutStore;
import io.waybill.layout.KeyColumns;
import io.waybill.layout.Layout;
import io.waybill.layout.OrderColumn;
import io.waybill.layout.PayloadKind;
import io.waybill.layout.StateColumn;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares the columns of a table with what its layout says of them. */
final class LayoutColumnChecks {
  private static final Set<String> INTEGERS =
      Set.of("int2", "int4", "int8", "tinyint", "smallint", "mediumint", "int", "bigint");
  private static final Set<String> TIMES = Set.of("timestamp", "timestamptz", "datetime");
  private static final Set<String> TEXTS =
      Set.of("text", "varchar", "bpchar", "char", "tinytext", "mediumtext", "longtext", "citext");
  private static final Set<String> BYTES =
      Set.of("bytea", "blob", "tinyblob", "mediumblob", "longblob", "binary", "varbinary");

  private final Layout layout;
  private final boolean mySql;
  private final String table;
  private final SqlDialect dialect;
  private final Map<String, LayoutColumn> columns;
  private final List<Finding> findings = new ArrayList<>();

  LayoutColumnChecks(
      Layout layout, SqlDialect dialect, String table, Map<String, LayoutColumn> columns) {
    this.layout = layout;
    this.dialect = dialect;
    this.mySql = dialect.kind() != DatabaseKind.POSTGRESQL;
    this.table = table;
    this.columns = columns;
  }

  List<Finding> run(Connection connection) throws SQLException {
    types();
    if (findings.isEmpty()) {
      nulls(connection);
    }
    comparisons();
    characters();
    times();
    findings.addAll(new LayoutOrderChecks(layout, dialect, table).run(columns));
    return findings;
  }

  private void types() {
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
    is("attempts", layout.progress().attempts(), INTEGERS);
    is("next-attempt-at", layout.progress().nextAttemptAt(), TIMES);
    error();
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
    if (column != null && column.length() > 0 && column.length() < LayoutStore.MAX_ERROR_CHARS) {
      wrong(
          "error",
          column,
          "takes %d characters and must take %d, or a failure cannot be recorded"
              .formatted(column.length(), LayoutStore.MAX_ERROR_CHARS));
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
      findings.add(
          new Finding(
              Check.ADOPTED_COLUMN_MISSING,
              "column " + layout.table() + "." + name,
              "It is missing, but the layout has it as " + field,
              "the name of the column in the layout, which has "
                  + String.join(", ", columns.keySet())));
    }
    return column;
  }

  private void wrong(String field, LayoutColumn column, String rule) {
    findings.add(
        new Finding(
            Check.ADOPTED_COLUMN_UNSUITABLE,
            "column " + layout.table() + "." + column.name(),
            "As " + field + " it " + rule + ", but its type is " + column.type(),
            "another column in the layout, or a column of such a type"));
  }

  private void nulls(Connection connection) throws SQLException {
    if (layout.progress().state() instanceof StateColumn.Flag flag) {
      nulls(connection, "state", flag.column());
    } else if (layout.progress().state() instanceof StateColumn.Word word) {
      nulls(connection, "state", word.column());
    }
    OrderColumn order = layout.order().column();
    if (order != null) {
      nulls(connection, "order", order.column());
    }
  }

  private void nulls(Connection connection, String field, String name) throws SQLException {
    LayoutColumn column = found(field, name);
    if (column == null || !column.nullable()) {
      return;
    }
    String subject = "column " + layout.table() + "." + name;
    String rule = "As " + field + " it must not be null: such rows are never published";
    if (isAny(connection, LayoutCatalogue.nulls(table, dialect.quote(name)))) {
      findings.add(
          new Finding(
              Check.ADOPTED_ROWS_WITH_NULL,
              subject,
              rule + ", and there are some",
              "a value in the rows with null"));
    } else {
      findings.add(
          new Finding(
              Check.ADOPTED_COLUMN_NULLABLE,
              subject,
              rule + ". There are none now",
              "alter table "
                  + table
                  + (mySql
                      ? " modify " + dialect.quote(name) + " <its type> not null"
                      : " alter " + dialect.quote(name) + " set not null")));
    }
  }

  private static boolean isAny(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      return result.next();
    }
  }

  private void comparisons() {
    Set<String> names = new LinkedHashSet<>();
    names.add(layout.identity().rowId());
    if (layout.identity().eventId() != null) {
      names.add(layout.identity().eventId());
    }
    if (layout.order().key() instanceof KeyColumns.TypeAndId key) {
      names.add(key.type());
      names.add(key.id());
    } else if (layout.order().key() instanceof KeyColumns.Single key) {
      names.add(key.id());
    }
    for (String name : names) {
      LayoutColumn column = column(name);
      if (column != null && column.collation() != null) {
        findings.add(
            new Finding(
                Check.ADOPTED_IDS_NOT_BYTES,
                "column " + layout.table() + "." + name,
                "It is compared by "
                    + column.collation()
                    + ", not as bytes: the database treats different ids as equal ("
                    + alike(column.collation())
                    + ")",
                "ids that differ in more than that, or a collation that compares bytes"));
      }
    }
  }

  private void characters() {
    Set<String> names = new LinkedHashSet<>();
    names.add(layout.content().payload());
    Stream.of(layout.identity().eventType(), layout.content().context().headers())
        .filter(Objects::nonNull)
        .forEach(names::add);
    for (String name : names) {
      LayoutColumn column = column(name);
      if (column != null && column.characters() != null) {
        findings.add(
            new Finding(
                Check.ADOPTED_CHARACTERS_LOST,
                "column " + layout.table() + "." + name,
                "Its character set "
                    + column.characters()
                    + " lacks characters: writers get an error, or a question mark in their place",
                "alter table " + table + " convert to character set utf8mb4"));
      }
    }
  }

  private static String alike(String collation) {
    if (collation.contains("trailing blanks") || collation.endsWith("_bin")) {
      return "'a' and 'a '";
    }
    return collation.endsWith("_cs") || collation.contains("_as_cs")
        ? "'a' and 'a ', or signs of equal weight"
        : "'a' and 'A' or 'á', or 'a '";
  }

  private void times() {
    Set<String> names = new LinkedHashSet<>();
    OrderColumn order = layout.order().column();
    if (order != null) {
      names.add(order.column());
    }
    if (layout.order().createdAt() != null) {
      names.add(layout.order().createdAt());
    }
    if (layout.order().availableAt() != null) {
      names.add(layout.order().availableAt());
    }
    for (String name : names) {
      LayoutColumn column = column(name);
      if (column != null && column.changing()) {
        findings.add(
            new Finding(
                Check.ADOPTED_TIME_CHANGES,
                "column " + layout.table() + "." + name,
                "Each update of a row changes it: a failed event moves behind later ones of its key",
                "alter table %s modify %s %s(6) %s default current_timestamp(6)"
                    .formatted(
                        table,
                        dialect.quote(name),
                        column.type(),
                        column.nullable() ? "null" : "not null")));
      }
      if (column != null && column.withoutZone(mySql) && column.defaultsToLocalTime()) {
        findings.add(
            new Finding(
                Check.ADOPTED_TIME_WITHOUT_ZONE,
                "column " + layout.table() + "." + name,
                "It has no time zone and its default is local time, but it is read as UTC: unless"
                    + " writers' sessions are in UTC, times are wrong and the order is lost when"
                    + " clocks are put back",
                inUtc(column)));
      }
    }
  }

  private String inUtc(LayoutColumn column) {
    String name = dialect.quote(column.name());
    // MariaDB keeps a default of current_timestamp when another is set by ALTER alone.
    return mySql
        ? "alter table %s modify %s datetime(6) %s default (utc_timestamp(6))"
            .formatted(table, name, column.nullable() ? "null" : "not null")
        : "alter table %s alter %s set default (clock_timestamp() at time zone 'UTC')"
            .formatted(table, name);
  }
}
