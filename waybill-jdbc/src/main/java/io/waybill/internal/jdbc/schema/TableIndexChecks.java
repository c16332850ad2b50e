package io.waybill.internal.jdbc.schema;

import io.waybill.database.DatabaseKind;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.TableIndexes;
import io.waybill.internal.jdbc.table.TableIndexes.Index;
import io.waybill.layout.Layout;
import io.waybill.layout.OrderColumn;
import io.waybill.layout.StateColumn;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether reads and settlements find rows by index. */
final class TableIndexChecks {
  private final Layout layout;
  private final SqlDialect dialect;
  private final boolean mySql;
  private final String table;

  TableIndexChecks(Layout layout, SqlDialect dialect, String table) {
    this.layout = layout;
    this.dialect = dialect;
    this.mySql = dialect.kind() != DatabaseKind.POSTGRESQL;
    this.table = table;
  }

  List<Finding> run(Connection connection) throws SQLException {
    List<Index> indexes = TableIndexes.read(connection, dialect.kind(), layout.table()).all();
    List<Finding> findings = new ArrayList<>();
    String id = TableIndexes.lower(layout.identity().rowId());
    boolean unique =
        indexes.stream()
            .anyMatch(
                index ->
                    index.unique()
                        && index.filter() == null
                        && index.columns().equals(List.of(id)));
    if (!unique) {
      findings.add(
          new Finding(
                  Check.ADOPTED_ID_NOT_UNIQUE,
                  "table " + layout.table(),
                  "Its column "
                      + id
                      + " is not unique: a change of one event would change all events with its id",
                  "alter table " + table + " add primary key (" + dialect.quote(id) + ")")
              .runnable());
    }
    if (indexes.stream().noneMatch(this::serves)) {
      findings.add(
          new Finding(
              Check.ADOPTED_INDEX_MISSING,
              "table " + layout.table(),
              "No index has the waiting rows in their order: each read looks at more rows than it"
                  + " returns",
              create()));
    }
    return findings;
  }

  /** Behind the columns of an index InnoDB has the primary key; PostgreSQL has not. */
  private boolean serves(Index index) {
    String state = state();
    OrderColumn order = layout.order().column();
    List<String> wanted = new ArrayList<>();
    wanted.add(
        order == null
            ? TableIndexes.lower(layout.identity().rowId())
            : TableIndexes.lower(order.column()));
    String filter = index.filter();
    if (state == null) {
      return filter == null && index.startsWith(wanted);
    }
    if (filter != null) {
      return TableIndexes.lower(filter).contains(state) && index.startsWith(wanted);
    }
    wanted.add(0, state);
    boolean bare = mySql && order == null && index.columns().equals(List.of(state));
    return bare || index.startsWith(wanted);
  }

  private String create() {
    OrderColumn order = layout.order().column();
    String id = dialect.quote(layout.identity().rowId());
    String columns = order == null ? id : dialect.quote(order.column()) + ", " + id;
    StateColumn state = layout.progress().state();
    String name = "waybill_" + layout.table().name() + "_idx";
    String index =
        "create index " + dialect.quote(name.substring(0, Math.min(63, name.length()))) + " on ";
    if (state instanceof StateColumn.Presence) {
      return index + table + " (" + columns + ")";
    }
    String column = dialect.quote(String.valueOf(state()));
    if (mySql) {
      return index + table + " (" + column + ", " + columns + ")";
    }
    String pending = state instanceof StateColumn.Word word ? "'" + word.pending() + "'" : "false";
    return index + table + " (" + columns + ") where " + column + " = " + pending;
  }

  private @Nullable String state() {
    if (layout.progress().state() instanceof StateColumn.Flag flag) {
      return TableIndexes.lower(flag.column());
    }
    return layout.progress().state() instanceof StateColumn.Word word
        ? TableIndexes.lower(word.column())
        : null;
  }
}
