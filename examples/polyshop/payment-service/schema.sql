create table payments (
  id uuid primary key,
  order_id varchar(100) not null,
  amount_cents bigint not null check (amount_cents > 0),
  currency char(3) not null,
  status varchar(20) not null default 'INITIATED' check (status in ('INITIATED', 'SUCCESS')),
  succeeded_at timestamptz
);
