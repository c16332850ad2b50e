create table if not exists sales (
  product_id varchar(100) primary key,
  pieces bigint not null
);

-- The documented table of a consumer's own.
create table if not exists processed_events (
  event_id uuid primary key,
  processed_at timestamptz not null default clock_timestamp()
);

create index if not exists processed_events_processed_at_idx on processed_events (processed_at);
