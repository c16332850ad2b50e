-- Every event as it stands.
create or replace view ${schema}vw_event_outbox as
select id, event_key, entity_table, entity_pk, event_type, payload, status, attempts,
  next_attempt_at, processed_at, producer_node, created_at
from ${outbox};

-- Events that wait, each with what it waits for: 'operator' if it is parked; 'earlier event' of its
-- key, with the id of the first one in trouble; 'earlier event or destination' if the relay keeps it
-- in the database behind one; 'next attempt'; 'time' if its writer delayed it; null if nothing keeps
-- it. The first event of a key in trouble is parked, was sent in vain, or waits for its destination.
-- Places are numbers of creation time and id, in the order in which events are published.
create or replace view ${schema}vw_event_outbox_waiting as
with pending as (
  select o.id, o.event_key, o.entity_table, o.entity_pk, o.event_type, o.attempts,
    o.next_attempt_at, o.producer_node, o.created_at, s.state, s.last_reason, s.last_detail,
    h.row_id is not null as held,
    (extract(epoch from o.created_at) * 1000000)::bigint * 10000000000000000000 + o.id as place
  from ${outbox} o
  left join ${row_state} s on s.row_id = o.id and s.state in ('RETRY', 'PARKED')
    and s.row_created = (extract(epoch from o.created_at) * 1000000)::bigint
  left join ${held} h on h.row_id = o.id
    and h.row_created = (extract(epoch from o.created_at) * 1000000)::bigint
  where o.status = 'pending'
),
trouble as (
  select entity_table, entity_pk, min(place) as first_place
  from pending
  where state is not null or attempts > 0 or next_attempt_at <= statement_timestamp()
  group by entity_table, entity_pk
)
select p.id, p.event_key, p.entity_table, p.entity_pk, p.event_type, p.attempts, p.next_attempt_at,
  p.producer_node, p.created_at,
  extract(epoch from statement_timestamp() - p.created_at)::numeric(18, 6) as age_seconds,
  case when p.state = 'PARKED' then 'operator'
    when t.first_place < p.place then 'earlier event'
    when p.held then 'earlier event or destination'
    when p.attempts = 0 and p.next_attempt_at > statement_timestamp() then 'time'
    when p.attempts > 0 or p.state = 'RETRY' or p.next_attempt_at is not null then 'next attempt'
  end as waits_for,
  case when t.first_place < p.place then (t.first_place % 10000000000000000000)::bigint end
    as waits_behind,
  p.last_reason, p.last_detail
from pending p
left join trouble t on t.entity_table = p.entity_table and t.entity_pk = p.entity_pk;

-- Events that can be published now: none is parked, held, or behind one of its key that is in
-- trouble.
create or replace view ${schema}vw_event_outbox_due as
select id, event_key, entity_table, entity_pk, event_type, attempts, next_attempt_at,
  producer_node, created_at, age_seconds
from ${schema}vw_event_outbox_waiting
where (waits_for is null or waits_for = 'next attempt')
  and (next_attempt_at is null or next_attempt_at <= statement_timestamp());

-- Seconds from an event's creation to its processing, per event type.
create or replace view ${schema}vw_event_outbox_latency as
select event_type, count(*) as events,
  avg(seconds)::numeric(18, 6) as avg_seconds,
  percentile_disc(0.5) within group (order by seconds) as p50_seconds,
  percentile_disc(0.95) within group (order by seconds) as p95_seconds,
  max(seconds) as max_seconds
from (
  select event_type, extract(epoch from processed_at - created_at)::numeric(18, 6) as seconds
  from ${outbox}
  where status = 'sent' and processed_at is not null
) sent
group by event_type;

-- Events, delivery attempts and age, per status. The oldest is that of events which are neither
-- parked nor held: the others do not age the queue.
create or replace view ${schema}vw_event_outbox_metrics as
select o.status, count(*) as events, sum(o.attempts) as attempts, max(o.attempts) as max_attempts,
  min(o.created_at) filter (where s.row_id is null and h.row_id is null) as oldest_created_at,
  extract(epoch from statement_timestamp()
    - min(o.created_at) filter (where s.row_id is null and h.row_id is null))
    ::numeric(18, 6) as oldest_age_seconds,
  count(s.row_id) as parked, count(h.row_id) as held
from ${outbox} o
left join ${row_state} s on s.row_id = o.id and s.state = 'PARKED' and o.status = 'pending'
  and s.row_created = (extract(epoch from o.created_at) * 1000000)::bigint
left join ${held} h on h.row_id = o.id and o.status = 'pending'
  and h.row_created = (extract(epoch from o.created_at) * 1000000)::bigint
group by o.status;

-- Events created and events processed, per hour in UTC.
create or replace view ${schema}vw_event_throughput_hourly as
select hour_utc, sum(created) as created, sum(processed) as processed
from (
  select date_trunc('hour', created_at at time zone 'UTC') as hour_utc, 1 as created, 0 as processed
  from ${outbox}
  union all
  select date_trunc('hour', processed_at at time zone 'UTC'), 0, 1
  from ${outbox}
  where status = 'sent' and processed_at is not null
) happened
group by hour_utc;

-- What each producing node has waiting or given up. The oldest is neither parked nor held.
create or replace view ${schema}vw_sync_backlog_by_node as
select o.producer_node,
  count(*) filter (where o.status = 'pending') as pending,
  count(*) filter (where o.status = 'failed') as failed,
  sum(o.attempts) as attempts,
  min(o.created_at) filter (where o.status = 'pending' and s.row_id is null and h.row_id is null)
    as oldest_created_at,
  extract(epoch from statement_timestamp() - min(o.created_at)
    filter (where o.status = 'pending' and s.row_id is null and h.row_id is null))
    ::numeric(18, 6) as oldest_age_seconds,
  count(s.row_id) as parked, count(h.row_id) as held
from ${outbox} o
left join ${row_state} s on s.row_id = o.id and s.state = 'PARKED' and o.status = 'pending'
  and s.row_created = (extract(epoch from o.created_at) * 1000000)::bigint
left join ${held} h on h.row_id = o.id and o.status = 'pending'
  and h.row_created = (extract(epoch from o.created_at) * 1000000)::bigint
where o.status in ('pending', 'failed')
group by o.producer_node;
