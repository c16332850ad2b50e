package io.waybill.internal.jdbc.operator;

import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.RowCreated;
import io.waybill.layout.Layout;
import io.waybill.store.OutboxRow;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Removes dead events, each with a note in the audit, in the caller's transaction. */
final class Purge {
  static final String VERB = "PURGE";

  private final Layout layout;
  private final SqlDialect dialect;
  private final PurgeSql sql;

  Purge(Layout layout, SqlDialect dialect, PurgeSql sql) {
    this.layout = layout;
    this.dialect = dialect;
    this.sql = sql;
  }

  /** Removes those of the rows that are still dead and that nobody asks anything about. */
  int remove(Statements statements, List<OutboxRow> rows, Instruction by) throws SQLException {
    int removed = 0;
    for (OutboxRow row : rows) {
      long created = RowCreated.of(row, layout);
      PreparedStatement remove = statements.prepare(sql.remove());
      Binding binding = new Binding(remove, dialect);
      binding.oneOf(layout.identity().kind(), List.of(row.rowId()));
      binding.number(created);
      if (remove.executeUpdate() == 1) {
        note(statements, row, created, by);
        forget(statements, row);
        removed++;
      }
    }
    return removed;
  }

  private void note(Statements statements, OutboxRow row, long created, Instruction by)
      throws SQLException {
    PreparedStatement statement = statements.prepare(sql.audit());
    Binding binding = new Binding(statement, dialect);
    binding.text(by.by());
    binding.id(row.rowId());
    binding.text(row.eventId());
    binding.text(by.reason());
    binding.id(row.rowId());
    binding.number(created);
    statement.executeUpdate();
  }

  private void forget(Statements statements, OutboxRow row) throws SQLException {
    for (String forget : sql.forget()) {
      PreparedStatement statement = statements.prepare(forget);
      new Binding(statement, dialect).id(row.rowId());
      statement.executeUpdate();
    }
  }
}
