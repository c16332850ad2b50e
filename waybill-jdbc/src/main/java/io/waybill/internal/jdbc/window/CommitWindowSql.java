package io.waybill.internal.jdbc.window;

import io.waybill.internal.jdbc.kernel.RowBound;
import io.waybill.internal.sql.Identifiers;

/**
 * SQL of the relay on PostgreSQL 14 to 18. Parameters are bound in their order in the statement.
 * Immutable.
 */
public final class CommitWindowSql {
  // In no side table, within the range p of ids: the range bounds the look at each table.
  private static final String OPEN =
      """
      not exists (
        select 1 from ${schema}.waybill_row_state s where s.row_id = o.id
          and s.row_id > (select low from p) and s.row_id <= (select high from p)
          and s.row_created = ${created})
      and not exists (
        select 1 from ${schema}.waybill_held h where h.row_id = o.id
          and h.row_id > (select low from p) and h.row_id <= (select high from p)
          and h.row_created = ${created})
      and not exists (
        select 1 from ${schema}.waybill_published d where d.id = o.id
          and d.id > (select low from p) and d.id <= (select high from p)
          and d.row_created = ${created})
      """;

  private final PostgresTemplates templates;

  /**
   * Creates the SQL for the tables in one schema.
   *
   * @param schema plain name of the schema
   * @throws IllegalArgumentException if the name is not an identifier
   */
  public CommitWindowSql(String schema) {
    this(schema, RowBound.USUAL);
  }

  /**
   * Creates the SQL for the tables in one schema.
   *
   * @param schema plain name of the schema
   * @param bound how large a row may be for its contents to be read
   * @throws IllegalArgumentException if the name is not an identifier
   */
  public CommitWindowSql(String schema, RowBound bound) {
    this.templates = new PostgresTemplates(Identifiers.quote("schema", schema), bound);
  }

  /**
   * How large a row may be for its contents to be read.
   *
   * @return the bound
   */
  public RowBound bound() {
    return templates.bound();
  }

  /**
   * The current position of the database. Parameter: horizon of delayed rows.
   *
   * @return statement returning the header, the lowest id in the table or null, and the number of
   *     lanes
   */
  public String position() {
    return sql(
        """
        with p as materialized (select cast(? as timestamptz) as due)
        select ${header}, (select min(o.id) from ${schema}.waybill_outbox o),
          (select count(*) from ${schema}.waybill_lane)""");
  }

  /**
   * Rows that became visible after a snapshot, if there are not too many. It runs at every poll,
   * and its plan is kept small: values are parameters, not the columns of a common table.
   * Parameters: horizon of delayed rows; xmax of the snapshot, most rows and one, xip list of the
   * snapshot, most rows and one; twice xmax or xip list, all lanes, lanes, horizon; most rows,
   * fence, most bytes.
   *
   * @return statement returning one header row, which ends with the number of rows in the window of
   *     all lanes, and rows in order
   */
  public String window() {
    return sql("""
        with c as materialized (
          select ${header} as header,
            (select count(*) from (
              select 1 from ${schema}.waybill_outbox o where o.xid >= cast(? as xid8)
              limit ?) young)
            + (select count(*) from (
              select 1 from ${schema}.waybill_outbox o where o.xid = any (cast(? as xid8[]))
              limit ?) late) as size
        )
        select concat_ws(' ', c.header, c.size), null::bigint, null::bytea, null::integer,
          null::smallint, null::text, null::text, null::text, null::text, null::text, null::text,
          null::text, null::text, null::text, null::bytea, null::bigint
        from c
        union all
        select null, ${columns}
        from (
          select o.*, ${before}
          from (
            select o.*, ${bytes} as bytes from ${schema}.waybill_outbox o
            where o.xid >= cast(? as xid8)
              and (cast(? as boolean) or o.lane = any (?))
              and (o.available_at is null or o.available_at <= cast(? as timestamptz))
            union all
            select o.*, ${bytes} as bytes from ${schema}.waybill_outbox o
            where o.xid = any (cast(? as xid8[]))
              and (cast(? as boolean) or o.lane = any (?))
              and (o.available_at is null or o.available_at <= cast(? as timestamptz))
            offset 0
          ) o
          where (select size from c) <= ? and ${alive}
        ) o
        where coalesce(o.before, 0) < ?""")
        .replace("(select due from p)", "cast(? as timestamptz)");
  }

  /**
   * Whether there is a window to read, for polls that expect none: a third of the cost. Parameters:
   * horizon of delayed rows; xmax of the snapshot, most rows and one, xip list of the snapshot,
   * most rows and one.
   *
   * @return statement returning the header row that {@link #window} returns
   */
  public String peek() {
    return sql("""
        select concat_ws(' ', ${header},
          (select count(*) from (
            select 1 from ${schema}.waybill_outbox o where o.xid >= cast(? as xid8)
            limit ?) young)
          + (select count(*) from (
            select 1 from ${schema}.waybill_outbox o where o.xid = any (cast(? as xid8[]))
            limit ?) late))""")
        .replace("(select due from p)", "cast(? as timestamptz)");
  }

  /**
   * The current snapshot, and the time. While the snapshot is the same, there is nothing new to
   * read.
   *
   * @return statement returning the snapshot as text, and microseconds since the epoch
   */
  public static String glance() {
    return "select pg_current_snapshot()::text,"
        + " (extract(epoch from clock_timestamp()) * 1000000)::bigint";
  }

  /**
   * Lowest id among rows of some transactions, with one look at the index for each transaction,
   * however many rows it has. Parameters: their numbers; first number of a range, and the number
   * after its last.
   *
   * @return statement returning an id or null
   */
  public String lowestId() {
    return sql(
        """
        with recursive p as materialized (
          select cast(? as xid8[]) as listed, cast(? as xid8) as low, cast(? as xid8) as high
        ),
        ranged (xid, id) as (
          (select o.xid, o.id from ${schema}.waybill_outbox o
          where o.xid >= (select low from p) and o.xid < (select high from p)
          order by o.xid, o.id limit 1)
          union all
          select n.xid, n.id from ranged r
          cross join lateral (
            select o.xid, o.id from ${schema}.waybill_outbox o
            where o.xid > r.xid and o.xid < (select high from p)
            order by o.xid, o.id limit 1) n
        )
        select min(f.id) from (
          select r.id from ranged r
          union all
          select l.id from p cross join unnest(p.listed) as t (xid)
          cross join lateral (
            select o.id from ${schema}.waybill_outbox o
            where o.xid = t.xid order by o.id limit 1) l
        ) f""");
  }

  /**
   * First row of a range of ids that is in no side table, and the range's failed rows that are not
   * dead. It skips kept rows fast. Parameters: id after which to begin, last id, most failed rows.
   *
   * @return statement returning an id or null, and an array of ids in order
   */
  public String stretch() {
    return sql(
        """
        with p as materialized (select cast(? as bigint) as low, cast(? as bigint) as high)
        select (
          select o.id from ${schema}.waybill_outbox o
          where o.id > (select low from p) and o.id <= (select high from p)
            and ${open}
          order by o.id limit 1),
          array(
            select s.row_id from ${schema}.waybill_row_state s
            where s.row_id > (select low from p) and s.row_id <= (select high from p)
              and s.state <> 'DEAD'
            order by s.row_id limit ?)""");
  }

  /**
   * Lowest id above another id. Parameter: the other id.
   *
   * @return statement returning an id or null
   */
  public String nextId() {
    return sql("select min(o.id) from ${schema}.waybill_outbox o where o.id > ?");
  }

  /**
   * Rows between two snapshots by primary key, without those in side tables. Parameters: id after
   * which to begin, last id, all lanes, lanes, younger snapshot, older snapshot, horizon of delayed
   * rows, most rows, most bytes, fence.
   *
   * @return statement returning rows in order
   */
  public String page() {
    return sql(
        """
        with p as materialized (
          select cast(? as bigint) as low, cast(? as bigint) as high,
            cast(? as boolean) as all_lanes, cast(? as smallint[]) as lanes,
            cast(? as pg_snapshot) as upto, cast(? as pg_snapshot) as since,
            cast(? as timestamptz) as due,
            cast(? as bigint) as max_rows, cast(? as bigint) as max_bytes
        )
        select null::text, ${columns}
        from (
          select o.*, ${before}
          from (
            select o.*, ${bytes} as bytes from ${schema}.waybill_outbox o
            where o.id > (select low from p) and o.id <= (select high from p)
              and ((select all_lanes from p) or o.lane = any ((select lanes from p)::smallint[]))
              and pg_visible_in_snapshot(o.xid, (select upto from p))
              and not pg_visible_in_snapshot(o.xid, (select since from p))
              and (o.available_at is null or o.available_at <= (select due from p))
              and ${open}
            order by o.id
            limit (select max_rows from p)
          ) o
        ) o
        where coalesce(o.before, 0) < (select max_bytes from p) and ${alive}""");
  }

  /**
   * How far to move the horizon of delayed rows. Parameters: horizon, new horizon, number of rows
   * that one step should not exceed.
   *
   * @return statement returning microseconds since the epoch
   */
  public String nextDue() {
    return sql(
        """
        with p as materialized (
          select cast(? as timestamptz) as due, cast(? as timestamptz) as upto
        )
        select (extract(epoch from coalesce((
          select o.available_at from ${schema}.waybill_outbox o
          where o.available_at is not null
            and o.available_at > (select due from p) and o.available_at <= (select upto from p)
          order by o.available_at offset ? limit 1), (select upto from p))) * 1000000)::bigint""");
  }

  /**
   * Ids of rows that became due: those before the new horizon, whose number {@link #nextDue} keeps
   * low, and those at it, of which there may be any number, by id. Parameters: horizon, new
   * horizon, id after which to begin, lanes, snapshot, most ids.
   *
   * @return statement returning ids in order, and whether the row is of the lanes and seen
   */
  public String dueIds() {
    return sql(
        """
        with p as materialized (
          select cast(? as timestamptz) as due, cast(? as timestamptz) as upto,
            cast(? as bigint) as low, cast(? as smallint[]) as lanes,
            cast(? as pg_snapshot) as seen, cast(? as bigint) as most
        )
        select o.id, o.lane = any ((select lanes from p)::smallint[])
          and pg_visible_in_snapshot(o.xid, (select seen from p))
        from (
          select o.id, o.lane, o.xid from ${schema}.waybill_outbox o
          where o.available_at is not null
            and o.available_at > (select due from p) and o.available_at < (select upto from p)
            and o.id > (select low from p)
          union all
          (select o.id, o.lane, o.xid from ${schema}.waybill_outbox o
          where o.available_at is not null
            and o.available_at = (select upto from p) and o.id > (select low from p)
          order by o.id limit (select most from p))
          offset 0
        ) o
        order by o.id limit (select most from p)""");
  }

  /**
   * Rows by id, without those in side tables. Parameters: ids, lanes, most bytes, fence.
   *
   * @return statement returning rows in order
   */
  public String rowsById() {
    return sql(
        """
        select null::text, ${columns}
        from (
          select o.*, ${before}
          from (
            select o.*, ${bytes} as bytes from ${schema}.waybill_outbox o
            where o.id = any (cast(? as bigint[]))
              and o.lane = any ((select cast(? as smallint[]))::smallint[])
              and not exists (
                select 1 from ${schema}.waybill_row_state s
                where s.row_id = o.id and s.row_created = ${created} offset 0)
              and not exists (
                select 1 from ${schema}.waybill_held h
                where h.row_id = o.id and h.row_created = ${created} offset 0)
              and not exists (
                select 1 from ${schema}.waybill_published d
                where d.id = o.id and d.row_created = ${created} offset 0)
            offset 0
          ) o
        ) o
        where coalesce(o.before, 0) < ? and ${alive}
        order by o.id""");
  }

  /** Fills a template in; its rows, named o, have their size in a column named bytes. */
  String sql(String template) {
    return templates.fill(template.replace("${open}", OPEN));
  }
}
