create table if not exists event_outbox (
  event_id varchar(255) not null,
  event_type varchar(255) not null,
  aggregate_type varchar(255) not null,
  aggregate_id bigint not null,
  status varchar(20) not null default 'PENDING',
  payload json not null,
  created_at timestamp(6) not null default (clock_timestamp() at time zone 'UTC'),
  published_at timestamp(6),
  constraint event_outbox_pkey primary key (event_id),
  constraint event_outbox_status_check check (status in ('PENDING', 'PROCESSED', 'FAILED'))
);

create index if not exists idx_event_outbox_status_created_at on event_outbox (status, created_at);

create table if not exists processed_event (
  event_id varchar(255) not null,
  status varchar(20) not null,
  created_at timestamp(6) not null default (clock_timestamp() at time zone 'UTC'),
  updated_at timestamp(6) not null default (clock_timestamp() at time zone 'UTC'),
  constraint processed_event_pkey primary key (event_id),
  constraint processed_event_status_check check (status in ('PROCESSING', 'SUCCESS', 'FAILED'))
);
