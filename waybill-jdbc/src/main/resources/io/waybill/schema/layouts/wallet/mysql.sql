create table outbox (
  id bigint not null auto_increment,
  event_type varchar(255) not null,
  payload text not null,
  correlation_id varchar(255),
  created_at datetime(6) not null default current_timestamp(6),
  sent boolean not null default false,
  primary key (id)
) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin;

create index idx_outbox_sent on outbox (sent);
create index idx_outbox_sent_created_at on outbox (sent, created_at);
create index idx_outbox_correlation_id on outbox (correlation_id);
