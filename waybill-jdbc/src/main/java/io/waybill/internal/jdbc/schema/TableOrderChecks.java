package io.waybill.internal.jdbc.schema;

import io.waybill.database.DatabaseKind;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.Layout;
import io.waybill.layout.OrderColumn;
import io.waybill.layout.RowIdKind;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether an adopted table tells the order in which the rows of a key were written. */
final class TableOrderChecks {
  private static final int MICROSECONDS = 6;

  private final Layout layout;
  private final SqlDialect dialect;
  private final boolean mySql;
  private final String table;

  TableOrderChecks(Layout layout, SqlDialect dialect, String table) {
    this.layout = layout;
    this.dialect = dialect;
    this.mySql = dialect.kind() != DatabaseKind.POSTGRESQL;
    this.table = table;
  }

  List<Finding> run(Map<String, LayoutColumn> columns) {
    // Numbers grow with the rows; of rows with equal times they tell which came first.
    if (layout.identity().kind() == RowIdKind.LONG) {
      return List.of();
    }
    OrderColumn order = layout.order().column();
    if (order == null) {
      return List.of(unknown());
    }
    LayoutColumn column = columns.get(order.column());
    if (column == null || order.kind() != OrderColumn.Kind.TIME) {
      return List.of();
    }
    Finding finding = coarse(column);
    if (finding == null) {
      finding = ofTransaction(column);
    }
    return finding == null ? List.of() : List.of(finding);
  }

  private Finding unknown() {
    return new Finding(
        Check.ADOPTED_ORDER_UNKNOWN,
        "table " + layout.table(),
        "No column gives the order in which its rows were written: events of one key may be"
            + " published in any order",
        "order: {column: <column>, type: time | number} in the outbox's configuration");
  }

  private @Nullable Finding coarse(LayoutColumn column) {
    if (column.precision() == null || column.precision() >= MICROSECONDS) {
      return null;
    }
    String name = dialect.quote(column.name());
    String type = column.type() + "(6)";
    return new Finding(
        Check.ADOPTED_TIME_COARSE,
        "column " + layout.table() + "." + column.name(),
        "It keeps "
            + (column.precision() == 0 ? "whole seconds" : column.precision() + " decimals")
            + ", and ids do not grow: events of one key with equal times are published in any"
            + " order",
        mySql
            ? "alter table %s modify %s %s %s%s"
                .formatted(
                    table,
                    name,
                    type,
                    column.nullable() ? "null" : "not null",
                    column.defaultsToLocalTime() ? " default current_timestamp(6)" : "")
            : "alter table %s alter %s type %s".formatted(table, name, type));
  }

  private @Nullable Finding ofTransaction(LayoutColumn column) {
    if (mySql || !column.defaultsToStartOfTransaction()) {
      return null;
    }
    return new Finding(
        Check.ADOPTED_TIME_OF_TRANSACTION,
        "column " + layout.table() + "." + column.name(),
        "Its default is the start of the transaction, and ids do not grow: events of one key that a"
            + " transaction writes are published in any order",
        "alter table %s alter %s set default %s"
            .formatted(
                table,
                dialect.quote(column.name()),
                column.withoutZone(false)
                    ? "(clock_timestamp() at time zone 'UTC')"
                    : "clock_timestamp()"));
  }
}
