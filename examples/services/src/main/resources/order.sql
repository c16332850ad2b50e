create table if not exists orders (
  id uuid primary key,
  user_id varchar(100) not null,
  total_amount numeric(12, 2) not null,
  created_at timestamptz not null default now()
);
