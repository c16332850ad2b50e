-- Events that wait for their next attempt, or behind one of their key that does. Rows of one order
-- key are handled in the order of seq; all but the first of them are behind.
create table ${schema}.waybill_inbox_deferred (
  seq bigint not null generated always as identity,
  consumer text collate "C" not null,
  event_id text collate "C" not null,
  event_type text collate "C" not null,
  source text collate "C" not null,
  message_key bytea,
  -- Digest of source and message key: keys may be longer than an index takes.
  order_key text collate "C",
  behind boolean not null,
  attempts integer not null,
  due_at timestamptz not null,
  failure text not null,
  dead_reason text collate "C",
  claimed_by text collate "C",
  claimed_until timestamptz,
  deferred_at timestamptz not null default clock_timestamp(),
  message_micros bigint not null,
  headers text,
  body bytea,
  constraint waybill_inbox_deferred_pkey primary key (seq),
  constraint waybill_inbox_deferred_event_key unique (consumer, event_id),
  constraint waybill_inbox_deferred_attempts_check check (attempts >= 0),
  constraint waybill_inbox_deferred_behind_check check (not behind or order_key is not null),
  constraint waybill_inbox_deferred_key_check
    check ((message_key is null) = (order_key is null)),
  constraint waybill_inbox_deferred_claim_check
    check ((claimed_by is null) = (claimed_until is null))
) with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 2000
);

create index waybill_inbox_deferred_order_idx
  on ${schema}.waybill_inbox_deferred (consumer, order_key, seq) where order_key is not null;

create index waybill_inbox_deferred_due_idx
  on ${schema}.waybill_inbox_deferred (consumer, due_at) where not behind;

-- Deliveries that may have killed the process: a start without an end says that it died.
create table ${schema}.waybill_inbox_attempt (
  consumer text collate "C" not null,
  event_id text collate "C" not null,
  started integer not null,
  finished integer not null,
  started_at timestamptz not null default clock_timestamp(),
  constraint waybill_inbox_attempt_pkey primary key (consumer, event_id),
  constraint waybill_inbox_attempt_finished_check check (finished between 0 and started)
) with (fillfactor = 80);

-- Which consumer has a table that has room for one only.
create table ${schema}.waybill_inbox_consumer (
  table_name text collate "C" not null,
  consumer text collate "C" not null,
  registered_at timestamptz not null default clock_timestamp(),
  constraint waybill_inbox_consumer_pkey primary key (table_name)
);

-- How far lanes (partitions, queues) are: everything before the position is committed here. Another
-- server than the one named may lack what came after it.
create table ${schema}.waybill_inbox_lane (
  consumer text collate "C" not null,
  lane text collate "C" not null,
  server text collate "C" not null,
  done_before bigint not null,
  noted_at timestamptz not null default clock_timestamp(),
  constraint waybill_inbox_lane_pkey primary key (consumer, lane)
) with (fillfactor = 50);
