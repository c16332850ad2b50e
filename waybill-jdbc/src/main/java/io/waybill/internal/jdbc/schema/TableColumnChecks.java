package io.waybill.internal.jdbc.schema;

import io.waybill.database.DatabaseKind;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.TableCatalogue;
import io.waybill.layout.Content;
import io.waybill.layout.Identity;
import io.waybill.layout.KeyColumns;
import io.waybill.layout.Layout;
import io.waybill.layout.OrderColumn;
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
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares the columns of a table with what its layout says of them: their types first, then what
 * their values can be.
 */
final class TableColumnChecks {
  private final Layout layout;
  private final boolean mySql;
  private final String table;
  private final SqlDialect dialect;
  private final Map<String, LayoutColumn> columns;
  private final List<Finding> findings = new ArrayList<>();

  TableColumnChecks(
      Layout layout, SqlDialect dialect, String table, Map<String, LayoutColumn> columns) {
    this.layout = layout;
    this.dialect = dialect;
    this.mySql = dialect.kind() != DatabaseKind.POSTGRESQL;
    this.table = table;
    this.columns = columns;
  }

  List<Finding> run(Connection connection) throws SQLException {
    findings.addAll(new TableTypeChecks(layout, mySql, columns).run());
    if (findings.isEmpty()) {
      nulls(connection);
    }
    comparisons();
    characters();
    times();
    findings.addAll(new TableOrderChecks(layout, dialect, table).run(columns));
    return findings;
  }

  private void nulls(Connection connection) throws SQLException {
    nulls(connection, "state", stateColumn());
    nulls(connection, "order", orderColumn());
  }

  private void nulls(Connection connection, String field, @Nullable String name)
      throws SQLException {
    LayoutColumn column = column(name);
    if (name == null || column == null || !column.nullable()) {
      return;
    }
    String rule = "As " + field + " it must not be null: such rows are never published";
    if (isAny(connection, TableCatalogue.nulls(table, dialect.quote(name)))) {
      add(
          Check.ADOPTED_ROWS_WITH_NULL,
          name,
          rule + ", and there are some",
          "a value in the rows with null");
    } else {
      add(
          Check.ADOPTED_COLUMN_NULLABLE,
          name,
          rule + ". There are none now",
          "alter table "
              + table
              + (mySql
                  ? " modify " + dialect.quote(name) + " <its type> not null"
                  : " alter " + dialect.quote(name) + " set not null"));
    }
  }

  private static boolean isAny(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      return result.next();
    }
  }

  private void comparisons() {
    Identity identity = layout.identity();
    for (String name : given(identity.rowId(), identity.eventId(), keyType(), keyId())) {
      LayoutColumn column = column(name);
      if (column != null && column.collation() != null) {
        add(
            Check.ADOPTED_IDS_NOT_BYTES,
            name,
            "It is compared by "
                + column.collation()
                + ", not as bytes: the database treats different ids as equal ("
                + alike(column.collation())
                + ")",
            "ids that differ in more than that, or a collation that compares bytes");
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

  private void characters() {
    Content content = layout.content();
    for (String name :
        given(content.payload(), layout.identity().eventType(), content.context().headers())) {
      LayoutColumn column = column(name);
      if (column != null && column.characters() != null) {
        add(
            Check.ADOPTED_CHARACTERS_LOST,
            name,
            "Its character set "
                + column.characters()
                + " lacks characters: writers get an error, or a question mark in their place",
            "alter table " + table + " convert to character set utf8mb4");
      }
    }
  }

  private void times() {
    for (String name :
        given(orderColumn(), layout.order().createdAt(), layout.order().availableAt())) {
      LayoutColumn column = column(name);
      if (column != null && column.changing()) {
        add(
            Check.ADOPTED_TIME_CHANGES,
            name,
            "Each update of a row changes it: a failed event moves behind later ones of its key",
            "alter table %s modify %s %s(6) %s default current_timestamp(6)"
                .formatted(
                    table,
                    dialect.quote(name),
                    column.type(),
                    column.nullable() ? "null" : "not null"));
      }
      if (column != null && column.withoutZone(mySql) && column.defaultsToLocalTime()) {
        add(
            Check.ADOPTED_TIME_WITHOUT_ZONE,
            name,
            "It has no time zone and its default is local time, but it is read as UTC: unless"
                + " writers' sessions are in UTC, times are wrong and the order is lost when"
                + " clocks are put back",
            inUtc(column));
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

  private @Nullable String keyType() {
    return layout.order().key() instanceof KeyColumns.TypeAndId key ? key.type() : null;
  }

  private @Nullable String keyId() {
    if (layout.order().key() instanceof KeyColumns.TypeAndId key) {
      return key.id();
    }
    return layout.order().key() instanceof KeyColumns.Single key ? key.id() : null;
  }

  private @Nullable String stateColumn() {
    if (layout.progress().state() instanceof StateColumn.Flag flag) {
      return flag.column();
    }
    return layout.progress().state() instanceof StateColumn.Word word ? word.column() : null;
  }

  private @Nullable String orderColumn() {
    OrderColumn order = layout.order().column();
    return order == null ? null : order.column();
  }

  /** Each once. */
  private static Set<String> given(@Nullable String... names) {
    Set<String> given = new LinkedHashSet<>();
    for (String name : names) {
      if (name != null) {
        given.add(name);
      }
    }
    return given;
  }

  private @Nullable LayoutColumn column(@Nullable String name) {
    return name == null ? null : columns.get(name);
  }

  private void add(Check check, String column, String what, String fix) {
    findings.add(new Finding(check, "column " + layout.table() + "." + column, what, fix));
  }
}
