-- Events that a consumer has processed. Rows are inserted in the transaction of the event's effect
-- and deleted by age; never updated.
create table ${schema}.processed_events (
  consumer text collate "C" not null,
  event_id text collate "C" not null,
  event_type text collate "C",
  source text collate "C",
  processed_at timestamptz not null default clock_timestamp(),
  constraint processed_events_pkey primary key (consumer, event_id),
  constraint processed_events_consumer_check check (consumer <> ''),
  constraint processed_events_event_id_check check (length(event_id) between 1 and 160)
) with (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_scale_factor = 0.1
);

create index processed_events_processed_at_idx
  on ${schema}.processed_events (consumer, processed_at);
