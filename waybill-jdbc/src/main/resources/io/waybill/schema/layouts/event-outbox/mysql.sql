create table event_outbox (
  id bigint not null,
  event_key char(36) not null,
  entity_table varchar(64) not null,
  entity_pk varchar(64) not null,
  event_type varchar(100) not null,
  payload json not null,
  status enum('pending', 'sent', 'failed') not null default 'pending',
  attempts int not null default 0,
  next_attempt_at datetime(6) null,
  processed_at datetime(6) null,
  producer_node varchar(100) null,
  created_at datetime(6) not null default current_timestamp(6),
  primary key (id),
  unique key uq_event_outbox_key (event_key)
) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin;

create index idx_event_outbox_created_at on event_outbox (created_at);
create index idx_event_outbox_entity_time on event_outbox (entity_table, entity_pk, created_at);
create index idx_event_outbox_status_sched on event_outbox (status, next_attempt_at);
