
-- Who has the events that the record calls PROCESSING. The claim of a session that is gone, or that
-- no longer owns the lane, is void; the session's lease is the claim's.
create table if not exists ${claim} (
  lane smallint not null,
  fence bigint not null,
  owner varchar(255) not null,
  claimed_at datetime(6) not null default (utc_timestamp(6)),
  primary key (row_id)
) ${table_options}
as select ${outbox_id} as row_id, 0 as lane, 0 as fence, '' as owner from ${outbox} where false;
