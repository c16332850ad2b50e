
-- Who has the events that the record calls PROCESSING. The claim of a session that is gone, or that
-- no longer owns the lane, is void; the session's lease is the claim's.
create table if not exists ${claim} (
  row_id ${row_id} not null,
  lane smallint not null,
  fence bigint not null,
  owner text not null,
  claimed_at timestamptz not null default clock_timestamp(),
  constraint ${prefix}claim_pkey primary key (row_id)
) with (fillfactor = 50);
