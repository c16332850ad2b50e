-- Every event as it stands.
create or replace view ${schema}vw_event_outbox as
select id, event_key, entity_table, entity_pk, event_type, payload, status, attempts,
  next_attempt_at, processed_at, producer_node, created_at
from ${outbox};

-- Events that can be published now.
create or replace view ${schema}vw_event_outbox_due as
select id, event_key, entity_table, entity_pk, event_type, attempts, next_attempt_at,
  producer_node, created_at,
  extract(epoch from statement_timestamp() - created_at)::numeric(18, 6) as age_seconds
from ${outbox}
where status = 'pending' and (next_attempt_at is null or next_attempt_at <= statement_timestamp());

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

-- Events, delivery attempts and age, per status.
create or replace view ${schema}vw_event_outbox_metrics as
select status, count(*) as events, sum(attempts) as attempts, max(attempts) as max_attempts,
  min(created_at) as oldest_created_at,
  extract(epoch from statement_timestamp() - min(created_at))::numeric(18, 6) as oldest_age_seconds
from ${outbox}
group by status;

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

-- What each producing node has waiting or given up.
create or replace view ${schema}vw_sync_backlog_by_node as
select producer_node,
  count(*) filter (where status = 'pending') as pending,
  count(*) filter (where status = 'failed') as failed,
  sum(attempts) as attempts,
  min(created_at) filter (where status = 'pending') as oldest_created_at,
  extract(epoch from statement_timestamp() - min(created_at) filter (where status = 'pending'))
    ::numeric(18, 6) as oldest_age_seconds
from ${outbox}
where status in ('pending', 'failed')
group by producer_node;
