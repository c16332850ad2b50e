package io.waybill.internal.jdbc.table;

import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.Layout;
import io.waybill.layout.RowIdKind;
import io.waybill.store.OutboxRow;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Runs statements on many rows that they find by primary key, some of them at a time. */
final class ByRows {
  private static final int CHUNK = 1000;

  private final Layout layout;
  private final SqlDialect dialect;
  private final RowIdKind kind;

  /** Binds what a statement takes beside the ids. */
  interface Values {
    /** Nothing. */
    Values NONE = binding -> {};

    void bind(Binding binding) throws SQLException;
  }

  ByRows(Layout layout, SqlDialect dialect) {
    this.layout = layout;
    this.dialect = dialect;
    this.kind = layout.identity().kind();
  }

  /** Sorted, so that two transactions never wait for each other in a circle. */
  static List<Object> ids(List<OutboxRow> rows) {
    return rows.stream().map(OutboxRow::rowId).sorted().toList();
  }

  /** What was created later has only taken over a number of one of these. */
  long latest(List<OutboxRow> rows) {
    return rows.stream().mapToLong(row -> RowCreated.of(row, layout)).max().orElse(0);
  }

  int run(Statements statements, IntFunction<@Nullable String> sql, List<Object> ids)
      throws SQLException {
    return run(statements, sql, ids, Values.NONE, Values.NONE);
  }

  int run(Statements statements, IntFunction<@Nullable String> sql, List<Object> ids, long latest)
      throws SQLException {
    return run(statements, sql, ids, Values.NONE, binding -> binding.number(latest));
  }

  /** With values before the ids and after them. */
  int run(
      Statements statements,
      IntFunction<@Nullable String> sql,
      List<Object> ids,
      Values before,
      Values after)
      throws SQLException {
    int changed = 0;
    for (int from = 0; from < ids.size(); from += CHUNK) {
      List<Object> chunk = ids.subList(from, Math.min(ids.size(), from + CHUNK));
      String text = sql.apply(chunk.size());
      if (text == null) {
        return 0;
      }
      PreparedStatement statement = statements.prepare(text);
      Binding binding = new Binding(statement, dialect);
      before.bind(binding);
      binding.oneOf(kind, chunk);
      after.bind(binding);
      changed += statement.executeUpdate();
    }
    return changed;
  }
}
