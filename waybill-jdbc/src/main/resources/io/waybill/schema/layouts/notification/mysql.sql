create table event_outbox (
  event_id varchar(255) not null,
  event_type varchar(255) not null,
  aggregate_type varchar(255) not null,
  aggregate_id bigint not null,
  status varchar(20) not null default 'PENDING',
  payload json not null,
  created_at timestamp(6) not null default current_timestamp(6),
  published_at timestamp(6) null,
  primary key (event_id),
  key idx_event_outbox_status_created_at (status, created_at),
  constraint event_outbox_status_check check (status in ('PENDING', 'PROCESSED', 'FAILED'))
) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin;

create table processed_event (
  event_id varchar(255) not null,
  status varchar(20) not null,
  created_at timestamp(6) not null default current_timestamp(6),
  updated_at timestamp(6) not null default current_timestamp(6),
  primary key (event_id),
  constraint processed_event_status_check check (status in ('PROCESSING', 'SUCCESS', 'FAILED'))
) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin;
