package io.waybill.jdbc.dialect;

/** What operators see and ask for, on PostgreSQL. Immutable. */
public final class PostgresAdmin {
  // The planner sees the values, so conditions that are not given cost nothing.
  private static final String FILTER =
      """
      from ${schema}.waybill_outbox o
        left join ${schema}.waybill_row_state s on s.row_id = o.id
        left join ${schema}.waybill_held h on h.row_id = o.id
        left join ${schema}.waybill_published d on d.id = o.id
        cross join lateral (select case
          when s.state in ('PARKED', 'DEAD') then s.state
          when d.id is not null then 'PUBLISHED'
          else 'PENDING' end as status) x
      where (cast(? as text[]) is null or o.event_id = any (cast(? as text[])))
        and (cast(? as text) is null or x.status = cast(? as text))
        and (cast(? as text) is null or s.state = cast(? as text))
        and (cast(? as text) is null or o.event_type = cast(? as text))
        and (cast(? as text) is null or o.aggregate_type = cast(? as text))
        and (cast(? as text) is null or o.aggregate_id = cast(? as text))""";

  private static final String VIEW =
      """
      o.id, o.event_id, o.event_type, o.aggregate_type, o.aggregate_id, o.lane, x.status,
        coalesce(s.attempts, 0) as attempts, coalesce(s.unknown_outcome, false) as unknown_outcome,
        s.next_attempt_at, s.last_reason, s.last_detail, h.row_id is not null as held,
        case when o.available_at > clock_timestamp() then o.available_at end as delayed_until,
        o.created_at, d.published_at, octet_length(o.payload) as payload_bytes""";

  private final String schema;

  /**
   * SQL for the tables in one schema.
   *
   * @param schema plain name of the schema
   */
  public PostgresAdmin(String schema) {
    this.schema = Identifiers.quote("schema", schema);
  }

  /**
   * Session settings.
   *
   * @return statements
   */
  public String settings() {
    return """
    set plan_cache_mode = force_custom_plan;
    set max_parallel_workers_per_gather = 0;
    set jit = off;
    set lock_timeout = '5s'""";
  }

  /**
   * Numbers for dashboards.
   *
   * @return statement returning retry, parked, dead, held, requests and age in milliseconds
   */
  public String counts() {
    return sql(
        """
        select count(*) filter (where s.state = 'RETRY'),
          count(*) filter (where s.state = 'PARKED'),
          count(*) filter (where s.state = 'DEAD'),
          (select count(*) from ${schema}.waybill_held),
          (select count(*) from ${schema}.waybill_request),
          coalesce((
            select greatest(0, extract(epoch from clock_timestamp() - o.created_at) * 1000)
            from ${schema}.waybill_outbox o
            where o.id > coalesce((select max(d.id) from ${schema}.waybill_published d), 0) - 20000
              and (o.available_at is null or o.available_at <= clock_timestamp())
              and not exists (
                select 1 from ${schema}.waybill_published d where d.id = o.id offset 0)
              and not exists (
                select 1 from ${schema}.waybill_row_state b
                where b.row_id = o.id and b.state <> 'RETRY' offset 0)
            order by o.id limit 1), 0)::bigint,
          coalesce((
            select greatest(0, extract(epoch from clock_timestamp() - o.created_at) * 1000)
            from ${schema}.waybill_outbox o
            where o.id in (
              (select row_id from ${schema}.waybill_row_state b where b.state = 'RETRY'
                order by row_id limit 1)
              union all
              (select row_id from ${schema}.waybill_held order by row_id limit 1))
            order by o.id limit 1), 0)::bigint
        from ${schema}.waybill_row_state s""");
  }

  /**
   * Lists events. Parameters: those of the filter, row id after which to begin, most rows.
   *
   * @return statement returning events
   */
  public String find() {
    return sql("select ${view} ${filter} and o.id > ? order by o.id limit ?");
  }

  /**
   * Counts events. Parameters: those of the filter, number at which to stop.
   *
   * @return statement returning a number
   */
  public String count() {
    return sql("select count(*) from (select 1 ${filter} limit ?) matching");
  }

  /**
   * Makes requests. Parameters: verb, who, reason, those of the filter, verb, most rows.
   *
   * @return statement returning the number of requests made
   */
  public String request() {
    return sql(
        """
        with p as materialized (
          select cast(? as text) as verb, cast(? as text) as who, cast(? as text) as reason
        ),
        found as materialized (
          select o.id, o.event_id, o.lane ${filter}
            and not exists (
              select 1 from ${schema}.waybill_request r
              where r.row_id = o.id and r.verb = cast(? as text))
          order by o.id limit ?
        ),
        audited as (
          insert into ${schema}.waybill_audit (requested_by, verb, row_id, event_id, reason)
          select p.who, p.verb, found.id, found.event_id, p.reason
          from p cross join found order by found.id
          returning id, row_id
        ),
        asked as (
          insert into ${schema}.waybill_request (audit_id, lane, row_id, verb, reason)
          select audited.id, found.lane, found.id, p.verb, p.reason
          from audited join found on found.id = audited.row_id cross join p
          order by found.id
          returning 1
        )
        select count(*) from asked""");
  }

  /**
   * Shows one event. Parameter: event id.
   *
   * @return statement returning the event as {@link #find} has it, then version, content type,
   *     headers, correlation, causation, trace, payload
   */
  public String show() {
    return sql(
        """
        select ${view}, o.event_version, o.content_type, o.headers::text as headers,
          o.correlation_id, o.causation_id, o.traceparent, o.payload
        from ${schema}.waybill_outbox o
          left join ${schema}.waybill_row_state s on s.row_id = o.id
          left join ${schema}.waybill_held h on h.row_id = o.id
          left join ${schema}.waybill_published d on d.id = o.id
          cross join lateral (select case
            when s.state in ('PARKED', 'DEAD') then s.state
            when d.id is not null then 'PUBLISHED'
            else 'PENDING' end as status) x
        where o.event_id = ?""");
  }

  /**
   * Destinations.
   *
   * @return statement returning destinations by name
   */
  public String destinations() {
    return sql(
        """
        select name, paused, reason, changed_by, changed_at
        from ${schema}.waybill_destination order by name""");
  }

  /**
   * Pauses or resumes a destination. Parameters: name, whether paused, reason, who, who, verb,
   * name, reason.
   *
   * @return update statement
   */
  public String pause() {
    return sql(
        """
        with changed as (
          insert into ${schema}.waybill_destination (name, paused, reason, changed_by)
          values (?, ?, ?, ?)
          on conflict (name) do update set paused = excluded.paused, reason = excluded.reason,
            changed_by = excluded.changed_by, changed_at = clock_timestamp()
        )
        insert into ${schema}.waybill_audit
          (requested_by, verb, destination, reason, completed_at, done, note)
        values (?, ?, ?, ?, clock_timestamp(), true, 'taken up by the relays at their next look')""");
  }

  /**
   * Living relays.
   *
   * @return statement returning sessions by fence
   */
  public String sessions() {
    return sql(
        """
        select s.fence, s.relay,
          (select count(*) from ${schema}.waybill_lane l where l.fence = s.fence), s.joined_at,
          (extract(epoch from s.lease_until - clock_timestamp()) * 1000)::bigint
        from ${schema}.waybill_session s order by s.fence""");
  }

  /**
   * Who owns which lane.
   *
   * @return statement returning lanes by number
   */
  public String lanes() {
    return sql(
        """
        select l.lane, l.fence, s.relay, l.changed_at
        from ${schema}.waybill_lane l left join ${schema}.waybill_session s on s.fence = l.fence
        order by l.lane""");
  }

  /**
   * What operators asked for. Parameters: id before which to begin, event id or null twice, most
   * rows.
   *
   * @return statement returning entries, latest first
   */
  public String audit() {
    return sql(
        """
        select id, requested_at, requested_by, verb, event_id, destination, reason, completed_at,
          done, note
        from ${schema}.waybill_audit
        where id < ? and (cast(? as text) is null or event_id = cast(? as text))
        order by id desc limit ?""");
  }

  private String sql(String template) {
    return template
        .replace("${filter}", FILTER)
        .replace("${view}", VIEW)
        .replace("${schema}", schema);
  }
}
