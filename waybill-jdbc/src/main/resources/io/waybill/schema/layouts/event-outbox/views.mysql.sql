-- Every event as it stands.
create or replace algorithm = merge sql security invoker view ${schema}vw_event_outbox as
select id, event_key, entity_table, entity_pk, event_type, payload, status, attempts,
  next_attempt_at, processed_at, producer_node, created_at
from ${outbox};

-- Events that can be published now.
create or replace algorithm = merge sql security invoker view ${schema}vw_event_outbox_due as
select id, event_key, entity_table, entity_pk, event_type, attempts, next_attempt_at,
  producer_node, created_at,
  timestampdiff(microsecond, created_at, utc_timestamp(6)) / 1000000 as age_seconds
from ${outbox}
where status = 'pending' and (next_attempt_at is null or next_attempt_at <= utc_timestamp(6));

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

-- Events, delivery attempts and age, per status.
create or replace algorithm = undefined sql security invoker view ${schema}vw_event_outbox_metrics as
select status, count(*) as events, sum(attempts) as attempts, max(attempts) as max_attempts,
  min(created_at) as oldest_created_at,
  timestampdiff(microsecond, min(created_at), utc_timestamp(6)) / 1000000 as oldest_age_seconds
from ${outbox}
group by status;

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

-- What each producing node has waiting or given up.
create or replace algorithm = undefined sql security invoker view ${schema}vw_sync_backlog_by_node as
select producer_node,
  sum(case when status = 'pending' then 1 else 0 end) as pending,
  sum(case when status = 'failed' then 1 else 0 end) as failed,
  sum(attempts) as attempts,
  min(case when status = 'pending' then created_at end) as oldest_created_at,
  timestampdiff(microsecond, min(case when status = 'pending' then created_at end),
    utc_timestamp(6)) / 1000000 as oldest_age_seconds
from ${outbox}
where status in ('pending', 'failed')
group by producer_node;
