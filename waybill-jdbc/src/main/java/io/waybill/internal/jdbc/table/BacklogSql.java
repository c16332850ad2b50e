package io.waybill.internal.jdbc.table;

import io.waybill.database.SideNames;
import io.waybill.database.TimeRange;
import io.waybill.internal.jdbc.kernel.PostgresDialect;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.Layout;

/**
 * Statements that count waiting and blocked events of an outbox, for any layout on any database.
 * Immutable.
 */
public final class BacklogSql {
  private final TableTerms terms;
  private final SqlDialect dialect;
  private final String oldest;

  private BacklogSql(Layout layout, SqlDialect dialect, SideNames names, String oldest) {
    this.terms = new TableTerms(layout, dialect, names);
    this.dialect = dialect;
    this.oldest = oldest;
  }

  /**
   * Statements for a layout.
   *
   * @param layout the layout
   * @param dialect the database's dialect
   * @param names names of its side tables
   * @param range rows that are relayed: other rows are never late
   * @return statements
   */
  public static BacklogSql of(Layout layout, SqlDialect dialect, SideNames names, TimeRange range) {
    String created = layout.order().createdAt();
    // An event that waits for its next attempt could have been published by now.
    String oldest =
        """
        (select ${now_micros} - ${created} from ${outbox} o
        where ${pending}${range} and (${due} or exists (
            select 1 from ${row_state} b where b.row_id = ${side_id}
              and b.row_created = ${row_created} and b.state = 'RETRY'))
          and not exists (
            select 1 from ${row_state} b where b.row_id = ${side_id}
              and b.row_created = ${row_created} and b.state <> 'RETRY' and ${entry_b})
        order by ${order} limit 1)"""
            .replace(
                "${range}",
                created == null ? "" : dialect.and(range, "o." + dialect.quote(created)));
    return new BacklogSql(layout, dialect, names, oldest);
  }

  /**
   * Statements for Waybill's own table on PostgreSQL, with a side table of published rows.
   *
   * @param schema plain name of its schema
   * @return statements
   */
  public static BacklogSql ownOnPostgres(String schema) {
    Layout layout = LaneSql.ownLayout(schema);
    SqlDialect dialect = new PostgresDialect();
    SideNames names = SideNames.of(layout);
    // Begins near the youngest published row: before it, only rows that failed or wait are left.
    String oldest =
        """
        greatest(
          coalesce((
            select ${now_micros} - ${created} from ${outbox} o
            where o.id > coalesce((select max(d.id) from ${kept} d), 0) - 20000
              and ${due}
              and not exists (
                select 1 from ${kept} d
                where d.id = o.id and d.row_created = ${row_created} offset 0)
              and not exists (
                select 1 from ${row_state} b
                where b.row_id = o.id and b.row_created = ${row_created} and b.state <> 'RETRY'
                offset 0)
            order by o.id limit 1), 0),
          coalesce((
            select ${now_micros} - ${created} from ${outbox} o
            where o.id in (
              (select row_id from ${row_state} b where b.state = 'RETRY'
                order by row_id limit 1)
              union all
              (select row_id from ${held} order by row_id limit 1))
            order by o.id limit 1), 0))"""
            .replace("${kept}", dialect.sideTable(names, "published"));
    return new BacklogSql(layout, dialect, names, oldest);
  }

  /**
   * Numbers for dashboards.
   *
   * @return statement returning retry, parked, dead, held, requests, and the age of the oldest
   *     event in microseconds or null
   */
  public String counts() {
    return sql(
        """
        select coalesce(sum(case when s.state = 'RETRY' then 1 else 0 end), 0),
          coalesce(sum(case when s.state = 'PARKED' then 1 else 0 end), 0),
          coalesce(sum(case when s.state = 'DEAD' then 1 else 0 end), 0),
          (select count(*) from ${held}),
          (select count(*) from ${request}),
          ${oldest}
        from ${row_state} s""");
  }

  /**
   * The age of the oldest event that could have been published by now.
   *
   * @return statement returning microseconds, or null
   */
  public String oldest() {
    return sql("select ${oldest}");
  }

  /**
   * Counts the events that do not flow. Parameters: three times the number at which to stop.
   *
   * @return statement returning parked, dead and held
   */
  public String tally() {
    return sql(
        """
        select
          (select count(*) from (
            select 1 as one from ${row_state} s where s.state = 'PARKED' limit ?) p),
          (select count(*) from (
            select 1 as one from ${row_state} s where s.state = 'DEAD' limit ?) d),
          (select count(*) from (select 1 as one from ${held} limit ?) h)""");
  }

  private String sql(String template) {
    return terms.sql(
        template
            .replace("${oldest}", oldest)
            .replace("${created}", terms.createdAt())
            .replace("${now_micros}", dialect.micros(dialect.now())));
  }
}
