package io.waybill.internal.jdbc.table;

import io.waybill.database.SideNames;
import io.waybill.database.TimeRange;
import io.waybill.internal.jdbc.kernel.PostgresDialect;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;

/**
 * Statements that count waiting and blocked events of an outbox, for any layout on any database.
 * Immutable.
 */
public final class BacklogSql {
  /** Parameters of {@link #counts}. */
  public static final int COUNTS = 5;

  private final TableTerms terms;
  private final SqlDialect dialect;
  private final String oldest;

  private BacklogSql(Layout layout, SqlDialect dialect, SideNames names, String oldest) {
    this.terms = new TableTerms(layout, dialect, names);
    this.dialect = dialect;
    this.oldest = oldest;
  }

  // Behind the youngest row that a relay is done with waits what nobody has read; shortly before
  // it, what is being sent. Before that, only rows that failed or are held are left. Its parts are
  // highest numbers alone: MariaDB then knows it before it chooses an index.
  private static final String YOUNGEST =
      """
      greatest(
        coalesce((select max(d.id) from ${published_rows}), 0),
        coalesce(
          (select least(max(r.row_id), (select max(m.id) from ${outbox} m)) from ${row_state} r), 0))""";
  private static final String FAILED =
      """
      exists (
        select 1 from ${row_state} b
        where b.row_id = ${side_id} and b.row_created = ${row_created} and b.state <> 'RETRY')""";

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
    String relayed = created == null ? "" : dialect.and(range, "o." + dialect.quote(created));
    if (Layouts.isOwn(layout)) {
      String near =
          """
          (select o.id from ${outbox} o
            left join ${row_state} b
              on b.row_id = o.id and b.row_created = ${row_created} and b.state <> 'RETRY'
            where b.row_id is null
              and o.published = false and o.id > ${youngest} - 20000 and ${due}${range}
            order by o.id limit 1)"""
              .replace("${youngest}", YOUNGEST)
              .replace("${published_rows}", "${outbox} d where d.published = true")
              .replace("${range}", relayed);
      return new BacklogSql(layout, dialect, names, oldestOf(near));
    }
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
            .replace("${range}", relayed);
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
    // Two sorted lists instead of a look at each row: a fiftieth of the pages.
    String near =
        """
        (select o.id from (
          select o.id, ${row_created} as row_created from ${outbox} o
          where o.id > ${youngest} - 20000 and o.id <= ${youngest}
          except
          select d.id, d.row_created from ${kept} d where d.id > ${youngest} - 20000) x
        join ${outbox} o on o.id = x.id
        where ${due} and not ${failed} order by o.id limit 1)
        union all
        (select o.id from ${outbox} o
        where o.id > ${youngest} and ${due} and not ${failed} order by o.id limit 1)"""
            .replace("${youngest}", YOUNGEST)
            .replace("${published_rows}", "${kept} d")
            .replace("${kept}", dialect.sideTable(names, "published"));
    return new BacklogSql(layout, dialect, names, oldestOf(near));
  }

  /** Of the first rows, one of each kind. */
  private static String oldestOf(String near) {
    return """
        (select max(${now_micros} - ${created})
        from (${near}
          union all
          (select b.row_id from ${row_state} b where b.state = 'RETRY' order by b.row_id limit 1)
          union all
          (select h.row_id from ${held} h order by h.row_id limit 1)) f
        join ${outbox} o on o.id = f.id)"""
        .replace("${near}", near)
        .replace("${failed}", FAILED);
  }

  /**
   * Numbers for dashboards. Parameters: {@link #COUNTS} times the number at which to stop counting.
   *
   * @return statement returning retry, parked, dead, held, requests, and the age of the oldest
   *     event in microseconds or null
   */
  public String counts() {
    return sql(
        "select %s, %s, %s, %s, %s, ${oldest}"
            .formatted(
                state("RETRY"), state("PARKED"), state("DEAD"), rows("held"), rows("request")));
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
    return sql("select %s, %s, %s".formatted(state("PARKED"), state("DEAD"), rows("held")));
  }

  private static String state(String state) {
    return bounded("${row_state} s where s.state = '" + state + "'");
  }

  private static String rows(String table) {
    return bounded("${" + table + "}");
  }

  private static String bounded(String rows) {
    return "(select count(*) from (select 1 as one from " + rows + " limit ?) c)";
  }

  private String sql(String template) {
    return terms.sql(
        template
            .replace("${oldest}", oldest)
            .replace("${created}", terms.createdAt())
            .replace("${now_micros}", dialect.micros(dialect.now())));
  }
}
