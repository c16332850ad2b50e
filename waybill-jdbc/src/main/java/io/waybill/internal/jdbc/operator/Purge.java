package io.waybill.internal.jdbc.operator;

import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.RowCreated;
import io.waybill.internal.jdbc.table.TableTerms;
import io.waybill.layout.Identity;
import io.waybill.layout.Layout;
import io.waybill.store.OutboxRow;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Removes dead events for good, each with a note in the audit, in the caller's transaction. */
final class Purge {
  static final String VERB = "PURGE";

  private final Layout layout;
  private final SqlDialect dialect;
  private final TableTerms terms;
  private final String dead;
  private final Map<String, String> more;

  /**
   * Removes events of a table.
   *
   * @param layout its layout
   * @param dialect the database's dialect
   * @param terms the layout's parts of statements
   * @param dead holds for rows that the table itself says are given up
   * @param more what else knows rows of this outbox, by the column of their ids
   */
  Purge(
      Layout layout, SqlDialect dialect, TableTerms terms, String dead, Map<String, String> more) {
    this.layout = layout;
    this.dialect = dialect;
    this.terms = terms;
    this.dead = dead;
    this.more = more;
  }

  /**
   * Removes those of the rows that are still dead and that nobody asks anything about.
   *
   * @return ids of the removed events
   */
  List<String> remove(Statements statements, List<OutboxRow> rows, Instruction by)
      throws SQLException {
    List<String> removed = new ArrayList<>();
    for (OutboxRow row : rows) {
      long created = RowCreated.of(row, layout);
      if (isRemoved(statements, row, created)) {
        // Before the side tables forget the reason.
        note(statements, row, created, by);
        forget(statements, row);
        removed.add(row.eventId());
      }
    }
    return removed;
  }

  private boolean isRemoved(Statements statements, OutboxRow row, long created)
      throws SQLException {
    Identity identity = layout.identity();
    PreparedStatement statement =
        statements.prepare(
            sql(
                dialect.deleteByKey(
                    "${outbox}",
                    dialect.oneOf(terms.column(identity.rowId()), 1)
                        + """
                         and ${row_created} = ?
                          and (${dead} or exists (
                            select 1 from ${row_state} s
                            where s.row_id = ${side_id} and s.row_created = ${row_created}
                              and s.state = 'DEAD'))
                          and not exists (
                            select 1 from ${request} r
                            where r.row_id = ${side_id} and r.row_created = ${row_created})""")));
    Binding binding = new Binding(statement, dialect);
    binding.oneOf(identity.kind(), List.of(row.rowId()));
    binding.number(created);
    return statement.executeUpdate() == 1;
  }

  private void note(Statements statements, OutboxRow row, long created, Instruction by)
      throws SQLException {
    PreparedStatement statement =
        statements.prepare(
            sql(
                """
                insert into ${audit} (requested_by, verb, row_id, event_id, reason, earlier_reason,
                  completed_at, done, note)
                values (?, 'PURGE', ?, ?, ?,
                  (select concat(s.last_reason, ': ', s.last_detail) from ${row_state} s
                    where s.row_id = ? and s.row_created = ?),
                  ${clock}, true, 'removed')"""));
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
    List<String> deletes = new ArrayList<>();
    deletes.add(dialect.deleteByKey("${row_state}", "o.row_id = ?"));
    more.forEach((table, id) -> deletes.add(dialect.deleteByKey(table, "o." + id + " = ?")));
    for (String delete : deletes) {
      PreparedStatement statement = statements.prepare(sql(delete));
      new Binding(statement, dialect).id(row.rowId());
      statement.executeUpdate();
    }
  }

  private String sql(String template) {
    return terms.sql(template.replace("${dead}", dead).replace("${clock}", dialect.clock()));
  }
}
