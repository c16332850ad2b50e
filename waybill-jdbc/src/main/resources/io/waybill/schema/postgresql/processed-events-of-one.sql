-- As PolyShop has it. The index is for retention.
create table ${schema}.${processed} (
  event_id uuid not null,
  processed_at timestamptz not null default clock_timestamp(),
  event_type text,
  source text,
  constraint ${processed_name}_pkey primary key (event_id)
);

create index ${processed_name}_processed_at_idx on ${schema}.${processed} (processed_at);
