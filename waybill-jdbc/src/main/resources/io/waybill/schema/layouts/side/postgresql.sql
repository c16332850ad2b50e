-- One row per living relay. Deleting a row fences its relay and frees its lanes.
create table if not exists ${session} (
  fence bigint generated always as identity (cache 1),
  relay text not null,
  lease_until timestamptz not null,
  joined_at timestamptz not null default clock_timestamp(),
  renewals bigint not null default 0,
  renewed_at timestamptz not null default clock_timestamp(),
  host text not null default '',
  version text not null default '',
  configuration text not null default '',
  leaving smallint not null default 0,
  failing text,
  constraint ${prefix}session_pkey primary key (fence)
) with (fillfactor = 50);

-- Until quiet_at, a relay from which the lane was taken may still have messages on their way. The
-- columns beginning with taken_ tell of the last time that a lane was taken from a relay.
create table if not exists ${lane} (
  lane smallint not null,
  fence bigint,
  changed_at timestamptz not null default clock_timestamp(),
  quiet_at timestamptz,
  taken_from text,
  taken_because text collate "C",
  taken_at timestamptz,
  constraint ${prefix}lane_pkey primary key (lane),
  constraint ${prefix}lane_fence_fkey foreign key (fence)
    references ${session} (fence) on delete set null
) with (fillfactor = 50);

insert into ${lane} (lane)
select lane from generate_series(0, ${lanes} - 1) as lane
where not exists (select 1 from ${lane});

-- Rows that failed. A row id may come again, after a truncation or a restore; together with the time
-- of creation, in microseconds, it does not: what is known here is known of that row alone. The
-- time is 0 where the outbox has no column for it.
-- Failures of one group have type, destination and reason in common.
create table if not exists ${row_state} (
  row_id ${row_id} not null,
  row_created bigint not null,
  lane smallint not null,
  aggregate_type text collate "C",
  aggregate_id text collate "C",
  state text collate "C" not null,
  attempts integer not null,
  unknown_outcome boolean not null,
  next_attempt_at timestamptz,
  last_reason text not null,
  last_detail text not null,
  destination text collate "C",
  failure_group text collate "C",
  changed_at timestamptz not null default clock_timestamp(),
  constraint ${prefix}row_state_pkey primary key (row_id),
  constraint ${prefix}row_state_state_check check (state in ('RETRY', 'PARKED', 'DEAD')),
  constraint ${prefix}row_state_attempts_check check (attempts >= 0),
  constraint ${prefix}row_state_retry_check
    check ((state = 'RETRY') = (next_attempt_at is not null)),
  constraint ${prefix}row_state_key_check
    check ((aggregate_type is null) = (aggregate_id is null))
);

create index if not exists ${prefix}row_state_state_idx on ${row_state} (state, row_id);

create index if not exists ${prefix}row_state_group_idx
  on ${row_state} (state, failure_group, row_id);

-- What the outbox has no column for. Written in the transaction that writes the row, and read only
-- where the outbox lacks the column; any writer may.
create table if not exists ${row_context} (
  row_id ${row_id} not null,
  event_version integer,
  content_type text collate "C",
  headers json,
  correlation_id text collate "C",
  causation_id text collate "C",
  traceparent text collate "C",
  constraint ${prefix}row_context_pkey primary key (row_id),
  constraint ${prefix}row_context_version_check check (event_version >= 1),
  constraint ${prefix}row_context_headers_check check (json_typeof(headers) = 'object')
);

-- Rows that wait behind a blocked key or destination.
create table if not exists ${held} (
  row_id ${row_id} not null,
  row_created bigint not null,
  lane smallint not null,
  aggregate_type text collate "C" not null,
  aggregate_id text collate "C" not null,
  constraint ${prefix}held_pkey primary key (row_id)
);

create index if not exists ${prefix}held_key_idx
  on ${held} (aggregate_type, aggregate_id, row_id);

-- Who asked for what, and what became of it. User and address are the database's own knowledge,
-- which no role may write; requested_by is what the asking program claims.
create table if not exists ${audit} (
  id bigint generated always as identity,
  requested_at timestamptz not null default clock_timestamp(),
  database_user text not null default session_user,
  client_address text default host(inet_client_addr()),
  requested_by text not null,
  verb text collate "C" not null,
  row_id ${row_id},
  event_id text collate "C",
  destination text collate "C",
  reason text not null,
  earlier_reason text,
  completed_at timestamptz,
  done boolean,
  note text,
  constraint ${prefix}audit_pkey primary key (id),
  constraint ${prefix}audit_reason_check check (reason <> ''),
  constraint ${prefix}audit_done_check check ((done is null) = (completed_at is null))
);

create index if not exists ${prefix}audit_event_id_idx on ${audit} (event_id, id) where event_id is not null;

-- What operators asked for and the owners of the lanes have not yet done.
create table if not exists ${request} (
  id bigint generated always as identity,
  audit_id bigint not null,
  lane smallint not null,
  row_id ${row_id} not null,
  row_created bigint not null,
  verb text collate "C" not null,
  reason text not null,
  constraint ${prefix}request_pkey primary key (id),
  constraint ${prefix}request_audit_id_fkey foreign key (audit_id) references ${audit} (id),
  constraint ${prefix}request_verb_check
    check (verb in ('RETRY', 'SKIP', 'PARK', 'BURY', 'REPLAY'))
);

create table if not exists ${destination} (
  name text collate "C" not null,
  paused boolean not null,
  reason text not null,
  changed_by text not null,
  changed_at timestamptz not null default clock_timestamp(),
  constraint ${prefix}destination_pkey primary key (name)
);

-- What operators planned to do with many events, and how far it has come. Relays do not look at it.
-- Events up to last_position are meant; those up to reached_position are in the table below.
-- One with a source sends its dead letters again; of those that are unclear nobody knows more.
create table if not exists ${job} (
  id bigint not null,
  state text collate "C" not null,
  verb text collate "C" not null,
  source text collate "C",
  despite_limit boolean not null default false,
  filter text not null,
  matched integer not null,
  more boolean not null,
  last_position text collate "C",
  reached_position text collate "C",
  canary integer not null,
  rate integer not null,
  stop_after integer not null,
  planned_by text not null,
  planned_at timestamptz not null default clock_timestamp(),
  requested_by text,
  reason text,
  started_at timestamptz,
  ended_at timestamptz,
  note text,
  planned integer not null,
  asked integer not null default 0,
  succeeded integer not null default 0,
  failed integer not null default 0,
  refused integer not null default 0,
  skipped integer not null default 0,
  unclear integer not null default 0,
  open integer not null default 0,
  runner text,
  runner_until timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  constraint ${prefix}job_pkey primary key (id),
  constraint ${prefix}job_state_check
    check (state in ('PLANNED', 'RUNNING', 'PAUSED', 'DONE', 'STOPPED', 'CANCELLED'))
);

-- The events of a job in their order, and what became of each.
-- Of a dead letter: where it lies, for whom it is, and how often it is then sent again.
create table if not exists ${job_event} (
  job_id bigint not null,
  number integer not null,
  event_id text collate "C" not null,
  planned_status text collate "C",
  place text collate "C",
  consumer text collate "C",
  redriven integer,
  audit_id bigint,
  outcome text collate "C" not null default 'PLANNED',
  note text,
  changed_at timestamptz not null default clock_timestamp(),
  constraint ${prefix}job_event_pkey primary key (job_id, number)
);

create index if not exists ${prefix}job_event_outcome_idx on ${job_event} (job_id, outcome, number);

-- What operators have noted on a group of failures for those who come next, whatever the state of
-- its events. Relays do not look at it.
create table if not exists ${note} (
  failure_group text collate "C" not null,
  note text not null,
  written_by text not null,
  written_at timestamptz not null default clock_timestamp(),
  constraint ${prefix}note_pkey primary key (failure_group)
);

-- What relays did in each minute, by destination: '' for the outbox as a whole and for events
-- without a destination, '*' for all beyond the 200 with rows of their own. Relays add to it if they
-- may, and go on if not.
create table if not exists ${rollup} (
  minute_at timestamptz not null,
  destination text collate "C" not null,
  published bigint not null,
  refused bigint not null,
  unanswered bigint not null,
  parked bigint not null,
  dead bigint not null,
  latency_micros bigint not null,
  latency_max_micros bigint not null,
  oldest_millis bigint not null,
  constraint ${prefix}rollup_pkey primary key (minute_at, destination)
);

-- Logins of browsers at the API: hashes of what their cookies have, until they end. A row alone logs
-- nobody in: its proof is made of the cookie and of what the API knows of the user.
create table if not exists ${login} (
  token_hash text collate "C" not null,
  name text collate "C" not null,
  roles text collate "C",
  proof text collate "C" not null,
  began_at timestamptz not null default clock_timestamp(),
  used_at timestamptz not null default clock_timestamp(),
  constraint ${prefix}login_pkey primary key (token_hash)
);
