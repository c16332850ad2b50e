create table if not exists outbox_events (
  id uuid not null,
  aggregate_id varchar(255) not null,
  event_type varchar(255) not null,
  version integer not null default 1,
  payload json not null,
  created_at timestamptz(6) not null default current_timestamp(6),
  processed boolean not null default false,
  processed_at timestamptz(6),
  error_message text,
  constraint outbox_events_pkey primary key (id)
);

create index if not exists idx_outbox_events_unprocessed on outbox_events (created_at, id)
  where processed = false;
