create table event_outbox (
  id bigint not null,
  event_key char(36) not null,
  entity_table varchar(64) not null,
  entity_pk varchar(64) not null,
  event_type varchar(100) not null,
  payload jsonb not null,
  status text not null default 'pending',
  attempts integer not null default 0,
  next_attempt_at timestamptz(6),
  processed_at timestamptz(6),
  producer_node varchar(100),
  created_at timestamptz(6) not null default current_timestamp(6),
  constraint event_outbox_pkey primary key (id),
  constraint uq_event_outbox_key unique (event_key),
  constraint event_outbox_status_check check (status in ('pending', 'sent', 'failed'))
);

create index if not exists gin_event_outbox_payload
  on event_outbox using gin (payload jsonb_path_ops);
create index if not exists idx_event_outbox_created_at on event_outbox (created_at);
create index if not exists idx_event_outbox_entity_time
  on event_outbox (entity_table, entity_pk, created_at);
create index if not exists idx_event_outbox_status_sched on event_outbox (status, next_attempt_at);
