-- Every event as it stands.
create or replace algorithm = merge sql security invoker view ${schema}vw_event_outbox as
select id, event_key, entity_table, entity_pk, event_type, payload, status, attempts,
  next_attempt_at, processed_at, producer_node, created_at
from ${outbox};

-- Events that wait, each with what it waits for: 'operator' if it is parked; 'earlier event' of its
-- key, with the id of the first one in trouble; 'earlier event or destination' if the relay keeps it
-- in the database behind one; 'next attempt'; 'time' if its writer delayed it; null if nothing keeps
-- it. The first event of a key in trouble is parked, was sent in vain, or waits for its destination.
-- Places are numbers of creation time and id, in the order in which events are published.
create or replace algorithm = undefined sql security invoker view ${schema}vw_event_outbox_waiting as
with pending as (
  select o.id, o.event_key, o.entity_table, o.entity_pk, o.event_type, o.attempts,
    o.next_attempt_at, o.producer_node, o.created_at, s.state, s.last_reason, s.last_detail,
    h.row_id is not null as held,
    cast(timestampdiff(microsecond, timestamp'1970-01-01 00:00:00.000000', o.created_at) as decimal(40, 0)) * 10000000000000000000 + o.id as place
  from ${outbox} o
  left join ${row_state} s on s.row_id = o.id and s.state in ('RETRY', 'PARKED')
    and s.row_created = timestampdiff(microsecond, timestamp'1970-01-01 00:00:00.000000', o.created_at)
  left join ${held} h on h.row_id = o.id
    and h.row_created = timestampdiff(microsecond, timestamp'1970-01-01 00:00:00.000000', o.created_at)
  where o.status = 'pending'
),
trouble as (
  select entity_table, entity_pk, min(place) as first_place
  from pending
  where state is not null or attempts > 0 or next_attempt_at <= utc_timestamp(6)
  group by entity_table, entity_pk
)
select p.id, p.event_key, p.entity_table, p.entity_pk, p.event_type, p.attempts, p.next_attempt_at,
  p.producer_node, p.created_at,
  timestampdiff(microsecond, p.created_at, utc_timestamp(6)) / 1000000 as age_seconds,
  case when p.state = 'PARKED' then 'operator'
    when t.first_place < p.place then 'earlier event'
    when p.held then 'earlier event or destination'
    when p.attempts = 0 and p.next_attempt_at > utc_timestamp(6) then 'time'
    when p.attempts > 0 or p.state = 'RETRY' or p.next_attempt_at is not null then 'next attempt'
  end as waits_for,
  case when t.first_place < p.place then cast(mod(t.first_place, 10000000000000000000) as signed) end
    as waits_behind,
  p.last_reason, p.last_detail
from pending p
left join trouble t on t.entity_table = p.entity_table and t.entity_pk = p.entity_pk;

-- Events that can be published now: none is parked, held, or behind one of its key that is in
-- trouble.
create or replace algorithm = merge sql security invoker view ${schema}vw_event_outbox_due as
select id, event_key, entity_table, entity_pk, event_type, attempts, next_attempt_at,
  producer_node, created_at, age_seconds
from ${schema}vw_event_outbox_waiting
where (waits_for is null or waits_for = 'next attempt')
  and (next_attempt_at is null or next_attempt_at <= utc_timestamp(6));

-- Seconds from an event's creation to its processing, per event type. Views that group cannot be
-- merged into the query on them. The percentiles are those of nearest rank: MySQL has no function.
create or replace algorithm = undefined sql security invoker view ${schema}vw_event_outbox_latency as
select event_type, count(*) as events, avg(seconds) as avg_seconds,
  max(case when place = ceiling(0.5 * events_of_type) then seconds end) as p50_seconds,
  max(case when place = ceiling(0.95 * events_of_type) then seconds end) as p95_seconds,
  max(seconds) as max_seconds
from (
  select event_type, seconds,
    row_number() over (partition by event_type order by seconds) as place,
    count(*) over (partition by event_type) as events_of_type
  from (
    select event_type,
      cast(timestampdiff(microsecond, created_at, processed_at) / 1000000 as decimal(18, 6))
        as seconds
    from ${outbox}
    where status = 'sent' and processed_at is not null
  ) sent
) ranked
group by event_type;

-- Events, delivery attempts and age, per status. The oldest is that of events which are neither
-- parked nor held: the others do not age the queue.
create or replace algorithm = undefined sql security invoker view ${schema}vw_event_outbox_metrics as
select o.status, count(*) as events, sum(o.attempts) as attempts, max(o.attempts) as max_attempts,
  min(case when s.row_id is null and h.row_id is null then o.created_at end) as oldest_created_at,
  timestampdiff(microsecond,
    min(case when s.row_id is null and h.row_id is null then o.created_at end),
    utc_timestamp(6)) / 1000000 as oldest_age_seconds,
  count(s.row_id) as parked, count(h.row_id) as held
from ${outbox} o
left join ${row_state} s on s.row_id = o.id and s.state = 'PARKED' and o.status = 'pending'
  and s.row_created = timestampdiff(microsecond, timestamp'1970-01-01 00:00:00.000000', o.created_at)
left join ${held} h on h.row_id = o.id and o.status = 'pending'
  and h.row_created = timestampdiff(microsecond, timestamp'1970-01-01 00:00:00.000000', o.created_at)
group by o.status;

-- Events created and events processed, per hour in UTC.
create or replace algorithm = undefined sql security invoker view ${schema}vw_event_throughput_hourly as
select hour_utc, sum(created) as created, sum(processed) as processed
from (
  select cast(date_format(created_at, '%Y-%m-%d %H:00:00') as datetime) as hour_utc,
    1 as created, 0 as processed
  from ${outbox}
  union all
  select cast(date_format(processed_at, '%Y-%m-%d %H:00:00') as datetime), 0, 1
  from ${outbox}
  where status = 'sent' and processed_at is not null
) happened
group by hour_utc;

-- What each producing node has waiting or given up. The oldest is neither parked nor held.
create or replace algorithm = undefined sql security invoker view ${schema}vw_sync_backlog_by_node as
select o.producer_node,
  sum(case when o.status = 'pending' then 1 else 0 end) as pending,
  sum(case when o.status = 'failed' then 1 else 0 end) as failed,
  sum(o.attempts) as attempts,
  min(case when o.status = 'pending' and s.row_id is null and h.row_id is null
    then o.created_at end) as oldest_created_at,
  timestampdiff(microsecond,
    min(case when o.status = 'pending' and s.row_id is null and h.row_id is null
      then o.created_at end),
    utc_timestamp(6)) / 1000000 as oldest_age_seconds,
  count(s.row_id) as parked, count(h.row_id) as held
from ${outbox} o
left join ${row_state} s on s.row_id = o.id and s.state = 'PARKED' and o.status = 'pending'
  and s.row_created = timestampdiff(microsecond, timestamp'1970-01-01 00:00:00.000000', o.created_at)
left join ${held} h on h.row_id = o.id and o.status = 'pending'
  and h.row_created = timestampdiff(microsecond, timestamp'1970-01-01 00:00:00.000000', o.created_at)
where o.status in ('pending', 'failed')
group by o.producer_node;
