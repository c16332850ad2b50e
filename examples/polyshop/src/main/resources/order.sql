create table if not exists orders (
  id uuid primary key,
  user_id varchar(100) not null,
  total_amount numeric(12, 2) not null,
  status varchar(20) not null default 'PLACED' check (status in ('PLACED', 'PAID')),
  created_at timestamptz not null default now()
);

create table if not exists order_items (
  order_id uuid not null references orders,
  line int not null,
  product_id varchar(100) not null,
  quantity int not null,
  unit_price numeric(10, 2) not null,
  primary key (order_id, line)
);
