-- As PolyShop has it. The index is for retention; times are UTC.
create table ${schema}.${processed} (
  event_id char(36) character set ascii collate ascii_bin not null,
  processed_at datetime(6) not null default (utc_timestamp(6)),
  event_type varchar(255),
  source varchar(255),
  primary key (event_id),
  key ${processed_name}_processed_at_idx (processed_at)
) ${table_options};
