package io.waybill.internal.jdbc.window;

import io.waybill.internal.sql.Identifiers;

/**
 * Settling and ownership on PostgreSQL. Each change is one statement, and no lock is ever held
 * while a client computes. Immutable.
 */
public final class PostgresWrites {
  private static final String FENCE =
      """
      fence as materialized (
        select 1 from ${schema}.waybill_session where fence = ? for key share
      )""";

  private static final String ROWS =
      "unnest(cast(? as bigint[]), cast(? as bigint[])) as r (id, created)";

  // Each row is looked up once. "is true" keeps the pairs a table that is hashed, where a join
  // would
  // be planned from statistics.
  private static final String GONE =
      """
      gone as materialized (
        select r.id, timestamptz 'epoch' + r.created * interval '1 microsecond' as created
        from ${rows}
      ),
      done as (
        delete from ${schema}.waybill_outbox o
        where o.id = any (array(select gone.id from gone))
          and ((o.id, o.created_at) in (select gone.id, gone.created from gone)) is true
          and exists (select 1 from fence)
        returning 1
      )""";

  private static final String KEPT =
      """
      done as (
        insert into ${schema}.waybill_published as p (id, row_created)
        select r.id, r.created from ${rows}
        where exists (select 1 from fence)
        on conflict (id) do update
          set row_created = excluded.row_created, published_at = excluded.published_at
          where p.row_created <> excluded.row_created
        returning 1
      )""";

  private final String schema;

  /**
   * SQL for the tables in one schema.
   *
   * @param schema plain name of the schema
   */
  public PostgresWrites(String schema) {
    this.schema = Identifiers.quote("schema", schema);
  }

  /**
   * Settles published rows only. Parameters: fence, ids, their times of creation.
   *
   * @param keep whether published rows are kept
   * @return statement returning whether the fence holds, and the number of rows
   */
  public String published(boolean keep) {
    return sql(
        keep,
        """
        with ${fence},
        ${done}
        select exists (select 1 from fence), (select count(*) from done)""");
  }

  /**
   * Settles everything. Parameters: fence; published or recovered: ids, times of creation;
   * recovered or forgotten: ids, times of creation; failed: ids, times of creation, lanes,
   * aggregate types, aggregate ids, states, attempts, unknown outcomes, delays in milliseconds,
   * reasons, details, destinations, groups; held: ids, times of creation, lanes, aggregate types,
   * aggregate ids; handled: ids, results, notes.
   *
   * @param keep whether published rows are kept
   * @return statement returning whether the fence holds, and the number of changes
   */
  public String settle(boolean keep) {
    return sql(
        keep,
        """
        with ${fence},
        ${done},
        p as materialized (
          select * from unnest(?::bigint[], ?::bigint[]) as p (row_id, row_created)
        ),
        f as materialized (
          select * from unnest(?::bigint[], ?::bigint[], ?::smallint[], ?::text[], ?::text[],
            ?::text[], ?::integer[], ?::boolean[], ?::bigint[], ?::text[], ?::text[],
            ?::text[], ?::text[])
            as f (row_id, row_created, lane, aggregate_type, aggregate_id, state, attempts, unknown_outcome,
              delay_millis, reason, detail, destination, failure_group)
        ),
        h as materialized (
          select * from unnest(?::bigint[], ?::bigint[], ?::smallint[], ?::text[], ?::text[])
            as h (row_id, row_created, lane, aggregate_type, aggregate_id)
        ),
        r as materialized (
          select * from unnest(?::bigint[], ?::boolean[], ?::text[]) as r (id, done, note)
        ),
        forgotten as (
          delete from ${schema}.waybill_row_state
          where row_id = any (array(select p.row_id from p union all select h.row_id from h))
            and row_created <= (
              select max(k.row_created)
              from (select p.row_created from p union all select h.row_created from h) k)
            and exists (select 1 from fence)
        ),
        unheld as (
          delete from ${schema}.waybill_held
          where row_id = any (array(select p.row_id from p union all select f.row_id from f))
            and row_created <= (
              select max(k.row_created)
              from (select p.row_created from p union all select f.row_created from f) k)
            and exists (select 1 from fence)
        ),
        failed as (
          insert into ${schema}.waybill_row_state as s (row_id, row_created, lane,
            aggregate_type, aggregate_id, state, attempts, unknown_outcome, next_attempt_at, last_reason,
            last_detail, destination, failure_group)
          select f.row_id, f.row_created, f.lane, f.aggregate_type, f.aggregate_id, f.state, f.attempts,
            f.unknown_outcome,
            case when f.state = 'RETRY'
              then clock_timestamp() + f.delay_millis * interval '1 millisecond' end,
            f.reason, f.detail, f.destination, f.failure_group
          from f
          where exists (select 1 from fence)
            and exists (
              select 1 from ${schema}.waybill_outbox o
              where o.id = f.row_id and f.row_created = ${created})
          on conflict (row_id) do update set row_created = excluded.row_created,
            state = excluded.state, attempts = excluded.attempts,
            unknown_outcome = excluded.unknown_outcome,
            next_attempt_at = excluded.next_attempt_at, last_reason = excluded.last_reason,
            last_detail = excluded.last_detail, destination = excluded.destination,
            failure_group = excluded.failure_group, changed_at = clock_timestamp()
          returning 1
        ),
        held as (
          insert into ${schema}.waybill_held as x (row_id, row_created, lane, aggregate_type,
            aggregate_id)
          select h.row_id, h.row_created, h.lane, h.aggregate_type, h.aggregate_id
          from h
          where exists (select 1 from fence)
            and exists (
              select 1 from ${schema}.waybill_outbox o
              where o.id = h.row_id and h.row_created = ${created})
          on conflict (row_id) do update set row_created = excluded.row_created,
            lane = excluded.lane, aggregate_type = excluded.aggregate_type,
            aggregate_id = excluded.aggregate_id
            where x.row_created <> excluded.row_created
          returning 1
        ),
        handled as (
          delete from ${schema}.waybill_request q using r
          where q.id = r.id and exists (select 1 from fence)
          returning q.audit_id, r.done, r.note
        ),
        audited as (
          update ${schema}.waybill_audit a
          set completed_at = clock_timestamp(), done = handled.done, note = handled.note
          from handled where a.id = handled.audit_id
          returning 1
        )
        select exists (select 1 from fence),
          (select count(*) from done) + (select count(*) from failed)
            + (select count(*) from held) + (select count(*) from audited)""");
  }

  private String sql(boolean keep, String template) {
    return template
        .replace("${fence}", FENCE)
        .replace("${done}", keep ? KEPT : GONE)
        .replace("${rows}", ROWS)
        .replace("${created}", PostgresTemplates.CREATED)
        .replace("${schema}", schema);
  }
}
