create table emails (
  id uuid primary key,
  order_id varchar(100) not null,
  recipient varchar(320) not null,
  sent_at timestamptz not null default now()
);
