-- Events that a consumer has processed. Rows are inserted in the transaction of the event's effect
-- and deleted by age; never updated. Columns are one longer than what they may hold: a session
-- without strict mode cuts, and the check refuses it.
create table if not exists ${schema}.processed_events (
  consumer varchar(101) not null,
  event_id varchar(161) not null,
  event_type varchar(255),
  source varchar(255),
  processed_at datetime(6) not null default (utc_timestamp(6)),
  constraint processed_events_pkey primary key (consumer, event_id),
  key processed_events_processed_at_idx (consumer, processed_at),
  constraint processed_events_consumer_check
    check (consumer <> '' and char_length(consumer) <= 100),
  constraint processed_events_event_id_check
    check (event_id <> '' and char_length(event_id) <= 160)
) ${table_options};
