-- The outbox. A row that is there, not marked as published and in none of the side tables, waits to
-- be published. All times are UTC, whatever the session's time zone.
create table if not exists ${schema}.waybill_outbox (
  id bigint not null auto_increment,
  created_at datetime(6) not null default (utc_timestamp(6)),
  available_at datetime(6),
  event_version int not null default 1,
  lane smallint generated always as
    (crc32(coalesce(concat(aggregate_type, '/', aggregate_id), event_id)) % ${lanes}) stored,
  published boolean not null default false,
  published_at datetime(6),
  -- One more than an id may have: a session without strict mode cuts, and the check refuses it.
  event_id varchar(129) not null,
  event_type varchar(255) not null,
  aggregate_type varchar(255),
  aggregate_id varchar(255),
  content_type varchar(255) not null default 'application/json',
  correlation_id varchar(255),
  causation_id varchar(255),
  traceparent varchar(255),
  -- Not JSON: MySQL would sort and fold what the writer sent.
  headers longtext,
  payload longblob,
  constraint waybill_outbox_pkey primary key (id),
  constraint waybill_outbox_event_id_key unique key (event_id),
  key waybill_outbox_published_idx (published, id, lane),
  key waybill_outbox_available_at_idx (available_at),
  -- Without an anchor: $ would let a line feed pass at the end.
  constraint waybill_outbox_event_id_check
    check (event_id <> '' and char_length(event_id) <= 128
      and event_id not regexp '[^A-Za-z0-9._:-]'),
  constraint waybill_outbox_event_type_check check (event_type <> ''),
  constraint waybill_outbox_event_version_check check (event_version >= 1),
  constraint waybill_outbox_key_check check ((aggregate_type is null) = (aggregate_id is null)),
  constraint waybill_outbox_headers_check
    check ((case when json_valid(headers) then json_type(headers) = 'OBJECT'
      else headers is null end) = true)
) ${table_options};

-- One row per living relay. Deleting a row fences its relay and frees its lanes.
create table if not exists ${schema}.waybill_session (
  fence bigint not null auto_increment,
  relay varchar(255) not null,
  lease_until datetime(6) not null,
  joined_at datetime(6) not null default (utc_timestamp(6)),
  renewals bigint not null default 0,
  renewed_at datetime(6) not null default (utc_timestamp(6)),
  host varchar(255) not null default '',
  version varchar(255) not null default '',
  configuration varchar(255) not null default '',
  leaving smallint not null default 0,
  failing text,
  constraint waybill_session_pkey primary key (fence)
) ${table_options};

-- Until quiet_at, a relay from which the lane was taken may still have messages on their way. The
-- columns beginning with taken_ tell of the last time that a lane was taken from a relay.
create table if not exists ${schema}.waybill_lane (
  lane smallint not null,
  fence bigint,
  changed_at datetime(6) not null default (utc_timestamp(6)),
  quiet_at datetime(6),
  taken_from varchar(255),
  taken_because varchar(16),
  taken_at datetime(6),
  constraint waybill_lane_pkey primary key (lane),
  constraint waybill_lane_fence_fkey foreign key (fence)
    references ${schema}.waybill_session (fence) on delete set null
) ${table_options};

-- Two factors, since the depth of a recursion is bounded.
insert into ${schema}.waybill_lane (lane)
with recursive n (i) as (select 0 union all select i + 1 from n where i < 31)
select a.i * 32 + b.i from n a cross join n b where a.i * 32 + b.i < ${lanes}
on duplicate key update waybill_lane.lane = waybill_lane.lane;

-- Rows that failed. A number may come again, after a truncation or a restore; together with the
-- time of creation, in microseconds, it does not: what is known here is known of that row alone.
-- Failures of one group have type, destination and reason in common.
create table if not exists ${schema}.waybill_row_state (
  row_id bigint not null,
  row_created bigint not null,
  lane smallint not null,
  aggregate_type varchar(255),
  aggregate_id varchar(255),
  state varchar(16) not null,
  attempts int not null,
  unknown_outcome boolean not null,
  next_attempt_at datetime(6),
  last_reason text not null,
  last_detail mediumtext not null,
  destination text,
  failure_group varchar(32),
  changed_at datetime(6) not null default (utc_timestamp(6)),
  constraint waybill_row_state_pkey primary key (row_id),
  key waybill_row_state_state_idx (state, row_id),
  key waybill_row_state_group_idx (state, failure_group, row_id),
  constraint waybill_row_state_state_check check (state in ('RETRY', 'PARKED', 'DEAD')),
  constraint waybill_row_state_attempts_check check (attempts >= 0),
  constraint waybill_row_state_retry_check
    check ((state = 'RETRY') = (next_attempt_at is not null)),
  constraint waybill_row_state_key_check
    check ((aggregate_type is null) = (aggregate_id is null))
) ${table_options};

-- Rows that wait behind a blocked key or destination.
create table if not exists ${schema}.waybill_held (
  row_id bigint not null,
  row_created bigint not null,
  lane smallint not null,
  aggregate_type varchar(255) not null,
  aggregate_id varchar(255) not null,
  constraint waybill_held_pkey primary key (row_id),
  key waybill_held_key_idx (aggregate_type, aggregate_id, row_id)
) ${table_options};

-- Who asked for what, and what became of it. User and address are the database's own knowledge,
-- which no role may write; requested_by is what the asking program claims.
create table if not exists ${schema}.waybill_audit (
  id bigint not null auto_increment,
  requested_at datetime(6) not null default (utc_timestamp(6)),
  database_user varchar(255) not null default (substring_index(user(), '@', 1)),
  client_address varchar(255) default (substring_index(user(), '@', -1)),
  requested_by varchar(255) not null,
  verb varchar(16) not null,
  row_id bigint,
  event_id varchar(128),
  destination varchar(255),
  reason text not null,
  earlier_reason text,
  completed_at datetime(6),
  done boolean,
  note text,
  constraint waybill_audit_pkey primary key (id),
  key waybill_audit_event_id_idx (event_id, id),
  constraint waybill_audit_reason_check check (reason <> ''),
  constraint waybill_audit_done_check check ((done is null) = (completed_at is null))
) ${table_options};

-- What operators asked for and the owners of the lanes have not yet done.
create table if not exists ${schema}.waybill_request (
  id bigint not null auto_increment,
  audit_id bigint not null,
  lane smallint not null,
  row_id bigint not null,
  row_created bigint not null,
  verb varchar(16) not null,
  reason text not null,
  constraint waybill_request_pkey primary key (id),
  constraint waybill_request_audit_id_fkey foreign key (audit_id)
    references ${schema}.waybill_audit (id),
  constraint waybill_request_verb_check
    check (verb in ('RETRY', 'SKIP', 'PARK', 'BURY', 'REPLAY'))
) ${table_options};

create table if not exists ${schema}.waybill_destination (
  name varchar(255) not null,
  paused boolean not null,
  reason text not null,
  changed_by varchar(255) not null,
  changed_at datetime(6) not null default (utc_timestamp(6)),
  constraint waybill_destination_pkey primary key (name)
) ${table_options};

-- What operators planned to do with many events, and how far it has come. Relays do not look at it.
-- Events up to last_position are meant; those up to reached_position are in the table below.
-- One with a source sends its dead letters again; of those that are unclear nobody knows more.
create table if not exists ${schema}.waybill_job (
  id bigint not null,
  state varchar(16) not null,
  verb varchar(16) not null,
  source varchar(255),
  despite_limit boolean not null default false,
  filter text not null,
  matched int not null,
  more boolean not null,
  last_position text,
  reached_position text,
  canary int not null,
  rate int not null,
  stop_after int not null,
  planned_by varchar(255) not null,
  planned_at datetime(6) not null default (utc_timestamp(6)),
  requested_by varchar(255),
  reason text,
  started_at datetime(6),
  ended_at datetime(6),
  note text,
  planned int not null,
  asked int not null default 0,
  succeeded int not null default 0,
  failed int not null default 0,
  refused int not null default 0,
  skipped int not null default 0,
  unclear int not null default 0,
  open int not null default 0,
  runner varchar(255),
  runner_until datetime(6),
  changed_at datetime(6) not null default (utc_timestamp(6)),
  constraint waybill_job_pkey primary key (id),
  constraint waybill_job_state_check
    check (state in ('PLANNED', 'RUNNING', 'PAUSED', 'DONE', 'STOPPED', 'CANCELLED'))
) ${table_options};

-- The events of a job in their order, and what became of each.
-- Of a dead letter: where it lies, for whom it is, and how often it is then sent again.
create table if not exists ${schema}.waybill_job_event (
  job_id bigint not null,
  number int not null,
  event_id varchar(255) not null,
  planned_status varchar(16),
  place text,
  consumer varchar(255),
  redriven int,
  audit_id bigint,
  outcome varchar(16) not null default 'PLANNED',
  note text,
  changed_at datetime(6) not null default (utc_timestamp(6)),
  constraint waybill_job_event_pkey primary key (job_id, number),
  key waybill_job_event_outcome_idx (job_id, outcome, number)
) ${table_options};

-- What operators have noted on a group of failures for those who come next, whatever the state of
-- its events. Relays do not look at it.
create table if not exists ${schema}.waybill_note (
  failure_group varchar(32) not null,
  note text not null,
  written_by varchar(255) not null,
  written_at datetime(6) not null default (utc_timestamp(6)),
  constraint waybill_note_pkey primary key (failure_group)
) ${table_options};

-- What relays did in each minute, by destination: '' for the outbox as a whole and for events
-- without a destination, '*' for all beyond the 200 with rows of their own. Relays add to it if they
-- may, and go on if not.
create table if not exists ${schema}.waybill_rollup (
  minute_at datetime(6) not null,
  destination varchar(512) not null,
  published bigint not null,
  refused bigint not null,
  unanswered bigint not null,
  parked bigint not null,
  dead bigint not null,
  latency_micros bigint not null,
  latency_max_micros bigint not null,
  oldest_millis bigint not null,
  constraint waybill_rollup_pkey primary key (minute_at, destination)
) ${table_options};

-- Logins of browsers at the API: hashes of what their cookies have, until they end. A row alone logs
-- nobody in: its proof is made of the cookie and of what the API knows of the user.
create table if not exists ${schema}.waybill_login (
  token_hash varchar(64) not null,
  name varchar(255) not null,
  roles text,
  proof varchar(64) not null,
  began_at datetime(6) not null default (utc_timestamp(6)),
  used_at datetime(6) not null default (utc_timestamp(6)),
  constraint waybill_login_pkey primary key (token_hash)
) ${table_options};

create or replace algorithm = merge sql security invoker view ${schema}.waybill_outbox_status as
select
  o.id,
  o.event_id,
  o.event_type,
  o.event_version,
  o.aggregate_type,
  o.aggregate_id,
  o.lane,
  case
    when s.state in ('PARKED', 'DEAD') then s.state
    when o.published then 'PUBLISHED'
    else 'PENDING'
  end as status,
  coalesce(s.attempts, 0) as attempts,
  coalesce(s.unknown_outcome, false) as unknown_outcome,
  s.next_attempt_at,
  s.last_reason,
  s.last_detail,
  s.changed_at as state_changed_at,
  h.row_id is not null as held,
  case when o.available_at > utc_timestamp(6) then o.available_at end as delayed_until,
  o.published_at,
  o.created_at,
  o.available_at,
  o.correlation_id,
  o.causation_id,
  o.traceparent,
  o.content_type
from ${schema}.waybill_outbox o
left join ${schema}.waybill_row_state s
  on s.row_id = o.id
    and s.row_created = timestampdiff(microsecond, timestamp'1970-01-01 00:00:00.000000', o.created_at)
left join ${schema}.waybill_held h
  on h.row_id = o.id
    and h.row_created = timestampdiff(microsecond, timestamp'1970-01-01 00:00:00.000000', o.created_at);
