create table outbox_events (
  id char(36) not null,
  aggregate_id varchar(255) not null,
  event_type varchar(255) not null,
  version int not null default 1,
  payload json not null,
  created_at datetime(6) not null default current_timestamp(6),
  processed boolean not null default false,
  processed_at datetime(6),
  error_message text,
  primary key (id)
) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin;

create index idx_outbox_events_processed_created_at on outbox_events (processed, created_at);
