package io.waybill.internal.jdbc.operator;

import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.LayoutReads;
import io.waybill.internal.jdbc.table.LayoutTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Removes dead events for good, one at a time. Immutable. */
final class PurgeSql {
  private final LayoutTerms terms;
  private final SqlDialect dialect;
  private final String rowId;
  private final String dead;
  private final Map<String, String> more;

  PurgeSql(
      LayoutTerms terms, SqlDialect dialect, String rowId, String dead, Map<String, String> more) {
    this.terms = terms;
    this.dialect = dialect;
    this.rowId = rowId;
    this.dead = dead;
    this.more = more;
  }

  /**
   * Removes a row if it is dead and no request about it is open. Parameters: row id as for {@link
   * SqlDialect#oneOf}, its time of creation as in {@link LayoutReads}.
   *
   * @return delete statement
   */
  public String remove() {
    return sql(
        dialect.deleteByKey(
            "${outbox}",
            dialect.oneOf(terms.column(rowId), 1)
                + """
                 and ${row_created} = ?
                  and (${dead} or exists (
                    select 1 from ${row_state} s
                    where s.row_id = ${side_id} and s.row_created = ${row_created}
                      and s.state = 'DEAD'))
                  and not exists (
                    select 1 from ${request} r
                    where r.row_id = ${side_id} and r.row_created = ${row_created})"""));
  }

  /**
   * Records that a row was removed, and the earlier reason for its state. Parameters: who, row id,
   * event id, reason, row id, its time of creation.
   *
   * @return insert statement; before {@link #forget}
   */
  public String audit() {
    return sql(
        """
        insert into ${audit} (requested_by, verb, row_id, event_id, reason, earlier_reason,
          completed_at, done, note)
        values (?, 'PURGE', ?, ?, ?,
          (select concat(s.last_reason, ': ', s.last_detail) from ${row_state} s
            where s.row_id = ? and s.row_created = ?),
          ${clock}, true, 'removed')""");
  }

  /**
   * Removes the side-table entries of a row. Parameter of each: row id.
   *
   * @return delete statements
   */
  public List<String> forget() {
    List<String> statements = new ArrayList<>();
    statements.add(sql(dialect.deleteByKey("${row_state}", "o.row_id = ?")));
    more.forEach(
        (table, id) -> statements.add(sql(dialect.deleteByKey(table, "o." + id + " = ?"))));
    return statements;
  }

  private String sql(String template) {
    return terms.sql(template.replace("${dead}", dead).replace("${clock}", dialect.clock()));
  }
}
