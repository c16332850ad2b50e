-- One row per living relay. Deleting a row fences its relay and frees its lanes.
create table if not exists ${session} (
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
  primary key (fence)
) ${table_options};

-- Until quiet_at, a relay from which the lane was taken may still have messages on their way. The
-- columns beginning with taken_ tell of the last time that a lane was taken from a relay.
create table if not exists ${lane} (
  lane smallint not null,
  fence bigint,
  changed_at datetime(6) not null default (utc_timestamp(6)),
  quiet_at datetime(6),
  taken_from varchar(255),
  taken_because varchar(16),
  taken_at datetime(6),
  primary key (lane),
  constraint ${prefix}lane_fence_fkey foreign key (fence)
    references ${session} (fence) on delete set null
) ${table_options};

-- Two factors, since the depth of a recursion is bounded.
insert into ${lane} (lane)
with recursive n (i) as (select 0 union all select i + 1 from n where i < 31)
select a.i * 32 + b.i from n a cross join n b
where a.i * 32 + b.i < ${lanes} and not exists (select 1 from ${lane});

-- Rows that failed. A row id may come again, after a truncation or a restore; together with the time
-- of creation, in microseconds, it does not: what is known here is known of that row alone. The
-- time is 0 where the outbox has no column for it. Row ids have the type and collation that they
-- have in the outbox, so that joins use the indexes on both sides; the constants stand for columns
-- without a default.
-- Failures of one group have type, destination and reason in common.
create table if not exists ${row_state} (
  row_created bigint not null,
  lane smallint not null,
  aggregate_type text,
  aggregate_id text,
  state varchar(16) not null,
  attempts int not null,
  unknown_outcome boolean not null,
  next_attempt_at datetime(6),
  last_reason text not null,
  last_detail mediumtext not null,
  destination text,
  failure_group varchar(32),
  changed_at datetime(6) not null default (utc_timestamp(6)),
  primary key (row_id),
  key ${prefix}row_state_state_idx (state, row_id),
  key ${prefix}row_state_group_idx (state, failure_group, row_id),
  constraint ${prefix}row_state_state_check check (state in ('RETRY', 'PARKED', 'DEAD')),
  constraint ${prefix}row_state_attempts_check check (attempts >= 0),
  constraint ${prefix}row_state_retry_check
    check ((state = 'RETRY') = (next_attempt_at is not null)),
  constraint ${prefix}row_state_key_check
    check ((aggregate_type is null) = (aggregate_id is null))
) ${table_options}
as select ${outbox_id} as row_id, 0 as row_created, 0 as lane, '' as state, 0 as attempts, false as unknown_outcome,
  '' as last_reason, '' as last_detail
from ${outbox} where false;

-- What the outbox has no column for. Written in the transaction that writes the row, and read only
-- where the outbox lacks the column; any writer may.
create table if not exists ${row_context} (
  event_version int,
  content_type varchar(255),
  headers longtext,
  correlation_id varchar(255),
  causation_id varchar(255),
  traceparent varchar(255),
  primary key (row_id),
  constraint ${prefix}row_context_version_check check (event_version >= 1),
  constraint ${prefix}row_context_headers_check
    check ((case when json_valid(headers) then json_type(headers) = 'OBJECT'
      else headers is null end) = true)
) ${table_options}
as select ${outbox_id} as row_id from ${outbox} where false;

-- Rows that wait behind a blocked key or destination.
create table if not exists ${held} (
  row_created bigint not null,
  lane smallint not null,
  aggregate_type text not null,
  aggregate_id text not null,
  primary key (row_id),
  key ${prefix}held_key_idx (aggregate_type(255), aggregate_id(255))
) ${table_options}
as select ${outbox_id} as row_id, 0 as row_created, 0 as lane, '' as aggregate_type, '' as aggregate_id
from ${outbox} where false;

-- Who asked for what, and what became of it. User and address are the database's own knowledge,
-- which no role may write; requested_by is what the asking program claims.
create table if not exists ${audit} (
  id bigint not null auto_increment,
  requested_at datetime(6) not null default (utc_timestamp(6)),
  database_user varchar(255) not null default (substring_index(user(), '@', 1)),
  client_address varchar(255) default (substring_index(user(), '@', -1)),
  requested_by varchar(255) not null,
  verb varchar(16) not null,
  row_id ${row_id},
  event_id varchar(255),
  destination varchar(255),
  reason text not null,
  earlier_reason text,
  completed_at datetime(6),
  done boolean,
  note text,
  primary key (id),
  key ${prefix}audit_event_id_idx (event_id, id),
  constraint ${prefix}audit_reason_check check (reason <> ''),
  constraint ${prefix}audit_done_check check ((done is null) = (completed_at is null))
) ${table_options};

-- What operators asked for and the owners of the lanes have not yet done. MySQL allows no foreign
-- key in a table that takes a column from a query.
create table if not exists ${request} (
  id bigint not null auto_increment,
  row_created bigint not null,
  audit_id bigint not null,
  lane smallint not null,
  verb varchar(16) not null,
  reason text not null,
  primary key (id),
  constraint ${prefix}request_verb_check
    check (verb in ('RETRY', 'SKIP', 'PARK', 'BURY', 'REPLAY'))
) ${table_options}
as select ${outbox_id} as row_id, 0 as row_created, 0 as audit_id, 0 as lane, '' as verb, '' as reason
from ${outbox} where false;

create table if not exists ${destination} (
  name varchar(255) not null,
  paused boolean not null,
  reason text not null,
  changed_by varchar(255) not null,
  changed_at datetime(6) not null default (utc_timestamp(6)),
  primary key (name)
) ${table_options};

-- What operators planned to do with many events, and how far it has come. Relays do not look at it.
-- Events up to last_position are meant; those up to reached_position are in the table below.
-- One with a source sends its dead letters again; of those that are unclear nobody knows more.
create table if not exists ${job} (
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
  primary key (id),
  constraint ${prefix}job_state_check
    check (state in ('PLANNED', 'RUNNING', 'PAUSED', 'DONE', 'STOPPED', 'CANCELLED'))
) ${table_options};

-- The events of a job in their order, and what became of each.
-- Of a dead letter: where it lies, for whom it is, and how often it is then sent again.
create table if not exists ${job_event} (
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
  primary key (job_id, number),
  key ${prefix}job_event_outcome_idx (job_id, outcome, number)
) ${table_options};

-- What operators have noted on a group of failures for those who come next, whatever the state of
-- its events. Relays do not look at it.
create table if not exists ${note} (
  failure_group varchar(32) not null,
  note text not null,
  written_by varchar(255) not null,
  written_at datetime(6) not null default (utc_timestamp(6)),
  primary key (failure_group)
) ${table_options};

-- What relays did in each minute, by destination: '' for the outbox as a whole and for events
-- without a destination, '*' for all beyond the 200 with rows of their own. Relays add to it if they
-- may, and go on if not.
create table if not exists ${rollup} (
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
  primary key (minute_at, destination)
) ${table_options};

-- Logins of browsers at the API: hashes of what their cookies have, until they end. A row alone logs
-- nobody in: its proof is made of the cookie and of what the API knows of the user.
create table if not exists ${login} (
  token_hash varchar(64) not null,
  name varchar(255) not null,
  roles text,
  proof varchar(64) not null,
  began_at datetime(6) not null default (utc_timestamp(6)),
  used_at datetime(6) not null default (utc_timestamp(6)),
  primary key (token_hash)
) ${table_options};
