package io.waybill.internal.jdbc.window;

/**
 * SQL of the relay's reader on PostgreSQL that starts from the side tables of the outbox: failed
 * and held rows, requests, paused destinations. Immutable.
 */
final class PostgresSideReads {
  private final CommitWindowSql dialect;

  /**
   * SQL for the tables of a dialect's schema.
   *
   * @param dialect the dialect
   */
  public PostgresSideReads(CommitWindowSql dialect) {
    this.dialect = dialect;
  }

  /**
   * The id at which a stretch of failed rows ends. Parameters: id after which to begin, number of
   * rows before the one that is returned.
   *
   * @return statement returning an id, or no row
   */
  public String failedUntil() {
    return dialect.sql(
        """
        select s.row_id from ${schema}.waybill_row_state s
        where s.row_id > ? order by s.row_id offset ? limit 1""");
  }

  /**
   * The id at which a stretch of held rows ends. Parameters: as of {@link #failedUntil}.
   *
   * @return statement returning an id, or no row
   */
  public String heldUntil() {
    return dialect.sql(
        """
        select h.row_id from ${schema}.waybill_held h
        where h.row_id > ? order by h.row_id offset ? limit 1""");
  }

  /**
   * Heads of blocked keys. Parked rows come without headers and payload, since they are not sent.
   * Parameters: lanes, id after which to begin, last id, most bytes, fence.
   *
   * @return statement returning the row, then its state, attempts, unknown outcome, delay in
   *     milliseconds, reason and detail
   */
  public String failedRows() {
    return dialect.sql(
        """
        select null::text, ${columns}, o.state, o.attempts, o.unknown_outcome,
          greatest(0, ceil(coalesce(
            extract(epoch from o.next_attempt_at - clock_timestamp()) * 1000, 0)))::bigint,
          o.last_reason, o.last_detail
        from (
          select o.*, ${before} from (
          select o.id, o.created_at, o.event_version, o.lane, o.event_id, o.event_type,
            o.aggregate_type, o.aggregate_id, o.content_type, o.correlation_id, o.causation_id,
            o.traceparent, case when s.state = 'RETRY' then o.headers end as headers,
            case when s.state = 'RETRY' then o.payload end as payload,
            case when s.state = 'RETRY' then ${bytes} else 0 end as bytes,
            s.state, s.attempts, s.unknown_outcome, s.next_attempt_at, s.last_reason,
            s.last_detail
          from ${schema}.waybill_row_state s
          join ${schema}.waybill_outbox o on o.id = s.row_id and s.row_created = ${created}
          where s.state in ('RETRY', 'PARKED') and s.lane = any (cast(? as smallint[]))
            and not exists (
              select 1 from ${schema}.waybill_published d
              where d.id = s.row_id and d.row_created = s.row_created)
            and s.row_id > ? and s.row_id <= ?
          order by s.row_id offset 0
          ) o
        ) o
        where coalesce(o.before, 0) < ? and ${alive}
        order by o.id""");
  }

  /**
   * Number of held rows per key. Parameters: lanes, id after which to begin, last id.
   *
   * @return statement returning aggregate type, aggregate id, lane and number
   */
  public String heldCounts() {
    return dialect.sql(
        """
        select h.aggregate_type, h.aggregate_id, min(h.lane), count(*)
        from ${schema}.waybill_held h
        where h.lane = any (cast(? as smallint[])) and h.row_id > ? and h.row_id <= ?
        group by h.aggregate_type, h.aggregate_id""");
  }

  /**
   * Failed rows that others removed or marked. Parameters: as of {@link #heldCounts}.
   *
   * @return statement returning id and time of creation
   */
  public String orphanedFailures() {
    return orphaned("waybill_row_state");
  }

  /**
   * Held rows that others removed or marked. Parameters: as of {@link #heldCounts}.
   *
   * @return statement returning id and time of creation
   */
  public String orphanedHeld() {
    return orphaned("waybill_held");
  }

  private String orphaned(String table) {
    // Row by row, whatever the statistics say.
    return dialect.sql(
        """
        select s.row_id, s.row_created from ${schema}.${table} s
        where s.lane = any (cast(? as smallint[])) and s.row_id > ? and s.row_id <= ?
          and (
            not exists (
              select 1 from ${schema}.waybill_outbox o
              where o.id = s.row_id and s.row_created = ${created} offset 0)
            or exists (
              select 1 from ${schema}.waybill_published d
              where d.id = s.row_id and d.row_created = s.row_created offset 0))"""
            .replace("${table}", table));
  }

  /**
   * Held rows of keys. Parameters: aggregate types, aggregate ids, most rows twice, most bytes,
   * fence.
   *
   * @return statement returning rows in order
   */
  public String heldRows() {
    return dialect.sql(
        """
        select null::text, ${columns}
        from (
          select o.*, ${before}
          from (
            select o.*, ${bytes} as bytes
            from (
              select o.*
              from unnest(?::text[], ?::text[]) as k (aggregate_type, aggregate_id)
              cross join lateral (
                select o.*
                from ${schema}.waybill_held h
                cross join lateral (
                  select o.* from ${schema}.waybill_outbox o
                  where o.id = h.row_id and h.row_created = ${created} offset 0
                ) o
                where h.aggregate_type = k.aggregate_type and h.aggregate_id = k.aggregate_id
                  and not exists (
                    select 1 from ${schema}.waybill_row_state s
                    where s.row_id = h.row_id and s.row_created = h.row_created)
                  and not exists (
                    select 1 from ${schema}.waybill_published d
                    where d.id = h.row_id and d.row_created = h.row_created)
                order by h.row_id limit ?
              ) o
              order by o.id limit ?
            ) o
            offset 0
          ) o
        ) o
        where coalesce(o.before, 0) < ? and ${alive}
        order by o.id""");
  }

  /**
   * What has become of failed rows. Parameter: their ids.
   *
   * @return statement returning the first id of those that are in no side table any more, or null,
   *     and an array of those that are blocked still, in order
   */
  public String passed() {
    return dialect.sql(
        """
        select min(k.id) filter (where s.row_id is null
            and exists (select 1 from ${schema}.waybill_outbox o where o.id = k.id)
            and not exists (select 1 from ${schema}.waybill_published d where d.id = k.id)
            and not exists (select 1 from ${schema}.waybill_held h where h.row_id = k.id)),
          coalesce(array_agg(k.id order by k.id) filter (where s.state <> 'DEAD'), '{}')
        from unnest(cast(? as bigint[])) as k (id)
        left join ${schema}.waybill_row_state s on s.row_id = k.id""");
  }

  /**
   * The current state of rows. Parameters: ids, times of creation, most bytes.
   *
   * @return statement returning the row, without headers and payload if it is parked, then the
   *     requested id and time of creation, and state
   */
  public String look() {
    // Row by row, so that the plan is that of the primary keys whatever the statistics say.
    return dialect.sql(
        """
        select null::text, ${columns}, o.asked_id, o.asked_created, o.event_state
        from (
          select o.*, ${before_by_ask}
          from (
            select r.id as asked_id, r.created as asked_created, r.n, o.id, o.created_at,
              o.event_version, o.lane, o.event_id, o.event_type, o.aggregate_type,
              o.aggregate_id, o.content_type, o.correlation_id, o.causation_id, o.traceparent,
              case when s.event_state <> 'PARKED' then o.headers end as headers,
              case when s.event_state <> 'PARKED' then o.payload end as payload,
              case when s.event_state <> 'PARKED' then ${bytes} else 0 end as bytes, s.event_state
            from unnest(cast(? as bigint[]), cast(? as bigint[]))
              with ordinality as r (id, created, n)
            left join lateral (
              select o.* from ${schema}.waybill_outbox o
              where o.id = r.id and r.created = ${created} offset 0
            ) o on true
            cross join lateral (
              select case
                when o.id is null then 'GONE'
                when exists (
                  select 1 from ${schema}.waybill_published d
                  where d.id = r.id and d.row_created = r.created) then 'PUBLISHED'
                else coalesce(
                  (select s.state from ${schema}.waybill_row_state s
                    where s.row_id = r.id and s.row_created = r.created),
                  (select 'HELD' from ${schema}.waybill_held h
                    where h.row_id = r.id and h.row_created = r.created),
                  'PENDING')
              end as event_state offset 0
            ) s
            offset 0
          ) o
        ) o
        where coalesce(o.before, 0) < ?
        order by o.n""");
  }

  /**
   * The requests of operators. Parameters: lanes, id after which to begin, most requests, most
   * bytes.
   *
   * @return statement returning the row, then request id, verb, row id, reason and state
   */
  public String requests() {
    return dialect.sql(
        """
        select null::text, ${columns}, o.request_id, o.verb, o.row_id, o.reason, o.event_state
        from (
          select o.*, ${before_by_request}
          from (
            select r.id as request_id, r.verb, r.row_id, r.reason, o.*,
              case
                when o.id is null then 'GONE'
                when d.id is not null then 'PUBLISHED'
                when s.state is not null then s.state
                when h.row_id is not null then 'HELD'
                else 'PENDING'
              end as event_state,
              ${bytes} as bytes
            from (
              select r.* from ${schema}.waybill_request r
              where r.lane = any ((select cast(? as smallint[]))::smallint[]) and r.id > ?
              order by r.id limit ?
            ) r
            left join ${schema}.waybill_outbox o
              on o.id = r.row_id and r.row_created = ${created}
            left join ${schema}.waybill_row_state s
              on s.row_id = r.row_id and s.row_created = r.row_created
            left join ${schema}.waybill_held h
              on h.row_id = r.row_id and h.row_created = r.row_created
            left join ${schema}.waybill_published d
              on d.id = r.row_id and d.row_created = r.row_created
            offset 0
          ) o
        ) o
        where coalesce(o.before, 0) < ?
        order by o.request_id""");
  }

  /**
   * Destinations that are paused.
   *
   * @return statement returning names
   */
  public String pausedDestinations() {
    return dialect.sql("select name from ${schema}.waybill_destination where paused");
  }
}
