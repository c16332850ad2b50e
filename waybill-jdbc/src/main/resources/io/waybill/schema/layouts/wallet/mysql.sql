create table if not exists outbox (
  id bigint not null auto_increment,
  event_type varchar(255) not null,
  payload text not null,
  correlation_id varchar(255),
  created_at datetime(6) not null default current_timestamp(6),
  sent boolean not null default false,
  primary key (id),
  key idx_outbox_sent (sent),
  key idx_outbox_sent_created_at (sent, created_at),
  key idx_outbox_correlation_id (correlation_id)
) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin;
