package io.waybill.internal.jdbc.operator;

import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.RowLookup;
import io.waybill.layout.Layout;
import io.waybill.layout.Progress;
import io.waybill.layout.StateColumn;

/**
 * How a table, as o, says that a row was published: in its own columns, or in a table beside it.
 *
 * @param join what joins the table beside, or nothing
 * @param lookup the same for each row on its own: whatever PostgreSQL expects, a search of few rows
 *     of the outbox without a range does not read all of the other table
 * @param condition holds for published rows
 * @param waiting holds for rows that are neither published nor given up
 * @param dead holds for rows that the table itself says are given up
 * @param at time of the publishing, or null
 */
record Published(
    String join, String lookup, String condition, String waiting, String dead, String at) {
  /** In columns of the layout. */
  static Published in(Layout layout) {
    Progress progress = layout.progress();
    String dead =
        progress.state() instanceof StateColumn.Word word
            ? "${state} = '" + word.dead() + "'"
            : "false";
    return new Published(
        "",
        "",
        "${published}",
        "${pending}",
        dead,
        progress.publishedAt() == null ? "null" : "${published_at}");
  }

  /** In the table beside the own table on PostgreSQL. */
  static Published beside(SqlDialect dialect, SideNames names) {
    String table = dialect.sideTable(names, "published");
    String same = "d.id = o.id and d.row_created = ${row_created}";
    return new Published(
        "left join " + table + " d on " + same,
        new RowLookup(dialect).leftJoinById(table, "d", same),
        "d.id is not null",
        "d.id is null",
        "false",
        "d.published_at");
  }
}
