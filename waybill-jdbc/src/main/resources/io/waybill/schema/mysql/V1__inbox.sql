-- Events that wait for their next attempt, or behind one of their key that does. Rows of one order
-- key are handled in the order of seq; all but the first of them are behind. All times are UTC.
create table if not exists ${schema}.waybill_inbox_deferred (
  seq bigint not null auto_increment,
  consumer varchar(101) not null,
  event_id varchar(161) not null,
  event_type text not null,
  source varchar(255) not null,
  message_key longblob,
  -- Digest of source and message key: keys may be longer than an index takes.
  order_key varchar(32),
  behind boolean not null,
  attempts int not null,
  due_at datetime(6) not null,
  failure text not null,
  dead_reason varchar(255),
  claimed_by varchar(255),
  claimed_until datetime(6),
  deferred_at datetime(6) not null default (utc_timestamp(6)),
  message_micros bigint not null,
  headers longtext,
  body longblob,
  constraint waybill_inbox_deferred_pkey primary key (seq),
  constraint waybill_inbox_deferred_event_key unique key (consumer, event_id),
  key waybill_inbox_deferred_order_idx (consumer, order_key, seq),
  key waybill_inbox_deferred_due_idx (consumer, behind, due_at),
  constraint waybill_inbox_deferred_consumer_check check (char_length(consumer) <= 100),
  constraint waybill_inbox_deferred_event_id_check check (char_length(event_id) <= 160),
  constraint waybill_inbox_deferred_attempts_check check (attempts >= 0),
  constraint waybill_inbox_deferred_behind_check check (not behind or order_key is not null),
  constraint waybill_inbox_deferred_key_check
    check ((message_key is null) = (order_key is null)),
  constraint waybill_inbox_deferred_claim_check
    check ((claimed_by is null) = (claimed_until is null))
) ${table_options};

-- Deliveries that may have killed the process: a start without an end says that it died.
create table if not exists ${schema}.waybill_inbox_attempt (
  consumer varchar(101) not null,
  event_id varchar(161) not null,
  started int not null,
  finished int not null,
  started_at datetime(6) not null default (utc_timestamp(6)),
  constraint waybill_inbox_attempt_pkey primary key (consumer, event_id),
  constraint waybill_inbox_attempt_finished_check check (finished between 0 and started)
) ${table_options};

-- Which consumer has a table that has room for one only.
create table if not exists ${schema}.waybill_inbox_consumer (
  table_name varchar(64) not null,
  consumer varchar(101) not null,
  registered_at datetime(6) not null default (utc_timestamp(6)),
  constraint waybill_inbox_consumer_pkey primary key (table_name)
) ${table_options};

-- How far lanes (partitions, queues) are: everything before the position is committed here. Another
-- server than the one named may lack what came after it.
create table if not exists ${schema}.waybill_inbox_lane (
  consumer varchar(101) not null,
  lane varchar(300) not null,
  server varchar(255) not null,
  done_before bigint not null,
  noted_at datetime(6) not null default (utc_timestamp(6)),
  constraint waybill_inbox_lane_pkey primary key (consumer, lane)
) ${table_options};
