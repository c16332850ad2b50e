-- The outbox. Rows are only inserted and deleted, never updated: a row that is there, and in none
-- of the side tables, waits to be published.
create table ${schema}.waybill_outbox (
  -- Must stand before id: a row's transaction number is then assigned before its id, so that every
  -- row of a transaction younger than a snapshot has an id above the sequence at that snapshot.
  xid xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity
    (sequence name ${schema}.waybill_outbox_id_seq cache 1),
  created_at timestamptz not null default clock_timestamp(),
  available_at timestamptz,
  event_version integer not null default 1,
  lane smallint not null generated always as (
    ((hashtextextended(coalesce(aggregate_type || '/' || aggregate_id, event_id) collate "C", 0)
      & 9223372036854775807) % ${lanes})::smallint) stored,
  event_id text collate "C" not null,
  event_type text collate "C" not null,
  aggregate_type text collate "C",
  aggregate_id text collate "C",
  content_type text collate "C" not null default 'application/json',
  correlation_id text collate "C",
  causation_id text collate "C",
  traceparent text collate "C",
  headers json,
  payload bytea,
  constraint waybill_outbox_pkey primary key (id),
  constraint waybill_outbox_event_id_key unique (event_id),
  -- As a single expression with a bounded repetition it would cost as much as the rest of the insert.
  constraint waybill_outbox_event_id_check
    check (length(event_id) between 1 and 128 and event_id !~ '[^A-Za-z0-9._:-]'),
  constraint waybill_outbox_event_type_check check (event_type <> ''),
  constraint waybill_outbox_event_version_check check (event_version >= 1),
  constraint waybill_outbox_key_check check ((aggregate_type is null) = (aggregate_id is null)),
  constraint waybill_outbox_headers_check check (headers is null or json_typeof(headers) = 'object')
) with (
  -- Deleted rows come in bulk: vacuum by their number, not by a share of a backlog.
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_analyze_scale_factor = 0.2,
  autovacuum_analyze_threshold = 50000
);

-- Payloads live for seconds: compressing them would cost the writer more than it saves.
alter table ${schema}.waybill_outbox alter column payload set storage external;

create index waybill_outbox_xid_idx on ${schema}.waybill_outbox (xid, id);

create index waybill_outbox_available_at_idx on ${schema}.waybill_outbox (available_at, id)
  where available_at is not null;

-- One row per living relay. Deleting a row fences its relay and frees its lanes.
create table ${schema}.waybill_session (
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
  constraint waybill_session_pkey primary key (fence)
) with (fillfactor = 50);

-- Until quiet_at, a relay from which the lane was taken may still have messages on their way. The
-- columns beginning with taken_ tell of the last time that a lane was taken from a relay.
create table ${schema}.waybill_lane (
  lane smallint not null,
  fence bigint,
  changed_at timestamptz not null default clock_timestamp(),
  quiet_at timestamptz,
  taken_from text,
  taken_because text collate "C",
  taken_at timestamptz,
  constraint waybill_lane_pkey primary key (lane),
  constraint waybill_lane_fence_fkey foreign key (fence)
    references ${schema}.waybill_session (fence) on delete set null
) with (fillfactor = 50);

insert into ${schema}.waybill_lane (lane)
select lane from generate_series(0, ${lanes} - 1) as lane;

-- Rows that failed. A number may come again, after a truncation or a restore; together with the
-- time of creation, in microseconds, it does not: what is known here is known of that row alone.
-- Failures of one group have type, destination and reason in common.
create table ${schema}.waybill_row_state (
  row_id bigint not null,
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
  constraint waybill_row_state_pkey primary key (row_id),
  constraint waybill_row_state_state_check check (state in ('RETRY', 'PARKED', 'DEAD')),
  constraint waybill_row_state_attempts_check check (attempts >= 0),
  constraint waybill_row_state_retry_check
    check ((state = 'RETRY') = (next_attempt_at is not null)),
  constraint waybill_row_state_key_check
    check ((aggregate_type is null) = (aggregate_id is null))
);

create index waybill_row_state_state_idx on ${schema}.waybill_row_state (state, row_id);

create index waybill_row_state_group_idx
  on ${schema}.waybill_row_state (state, failure_group, row_id);

-- Rows that wait behind a blocked key or destination.
create table ${schema}.waybill_held (
  row_id bigint not null,
  row_created bigint not null,
  lane smallint not null,
  aggregate_type text collate "C" not null,
  aggregate_id text collate "C" not null,
  constraint waybill_held_pkey primary key (row_id)
);

create index waybill_held_key_idx
  on ${schema}.waybill_held (aggregate_type, aggregate_id, row_id);

-- Published rows that are kept for a while.
create table ${schema}.waybill_published (
  id bigint not null,
  row_created bigint not null,
  published_at timestamptz not null default statement_timestamp(),
  constraint waybill_published_pkey primary key (id)
) with (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 20000
);

-- Who asked for what, and what became of it. User and address are the database's own knowledge,
-- which no role may write; requested_by is what the asking program claims.
create table ${schema}.waybill_audit (
  id bigint generated always as identity,
  requested_at timestamptz not null default clock_timestamp(),
  database_user text not null default session_user,
  client_address text default host(inet_client_addr()),
  requested_by text not null,
  verb text collate "C" not null,
  row_id bigint,
  event_id text collate "C",
  destination text collate "C",
  reason text not null,
  earlier_reason text,
  completed_at timestamptz,
  done boolean,
  note text,
  constraint waybill_audit_pkey primary key (id),
  constraint waybill_audit_reason_check check (reason <> ''),
  constraint waybill_audit_done_check check ((done is null) = (completed_at is null))
);

create index waybill_audit_event_id_idx on ${schema}.waybill_audit (event_id, id) where event_id is not null;

-- What operators asked for and the owners of the lanes have not yet done.
create table ${schema}.waybill_request (
  id bigint generated always as identity,
  audit_id bigint not null,
  lane smallint not null,
  row_id bigint not null,
  row_created bigint not null,
  verb text collate "C" not null,
  reason text not null,
  constraint waybill_request_pkey primary key (id),
  constraint waybill_request_audit_id_fkey foreign key (audit_id)
    references ${schema}.waybill_audit (id),
  constraint waybill_request_verb_check
    check (verb in ('RETRY', 'SKIP', 'PARK', 'BURY', 'REPLAY'))
);

create table ${schema}.waybill_destination (
  name text collate "C" not null,
  paused boolean not null,
  reason text not null,
  changed_by text not null,
  changed_at timestamptz not null default clock_timestamp(),
  constraint waybill_destination_pkey primary key (name)
);

-- What operators planned to do with many events, and how far it has come. Relays do not look at it.
-- Events up to last_position are meant; those up to reached_position are in the table below.
-- One with a source sends its dead letters again; of those that are unclear nobody knows more.
create table ${schema}.waybill_job (
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
  constraint waybill_job_pkey primary key (id),
  constraint waybill_job_state_check
    check (state in ('PLANNED', 'RUNNING', 'PAUSED', 'DONE', 'STOPPED', 'CANCELLED'))
);

-- The events of a job in their order, and what became of each.
-- Of a dead letter: where it lies, for whom it is, and how often it is then sent again.
create table ${schema}.waybill_job_event (
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
  constraint waybill_job_event_pkey primary key (job_id, number)
);

create index waybill_job_event_outcome_idx on ${schema}.waybill_job_event (job_id, outcome, number);

-- What operators have noted on a group of failures for those who come next, whatever the state of
-- its events. Relays do not look at it.
create table ${schema}.waybill_note (
  failure_group text collate "C" not null,
  note text not null,
  written_by text not null,
  written_at timestamptz not null default clock_timestamp(),
  constraint waybill_note_pkey primary key (failure_group)
);

-- What relays did in each minute, by destination: '' for the outbox as a whole and for events
-- without a destination, '*' for all beyond the 200 with rows of their own. Relays add to it if they
-- may, and go on if not.
create table ${schema}.waybill_rollup (
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
  constraint waybill_rollup_pkey primary key (minute_at, destination)
);

-- Logins of browsers at the API: hashes of what their cookies have, until they end. A row alone logs
-- nobody in: its proof is made of the cookie and of what the API knows of the user.
create table ${schema}.waybill_login (
  token_hash text collate "C" not null,
  name text collate "C" not null,
  roles text collate "C",
  proof text collate "C" not null,
  began_at timestamptz not null default clock_timestamp(),
  used_at timestamptz not null default clock_timestamp(),
  constraint waybill_login_pkey primary key (token_hash)
);

create view ${schema}.waybill_outbox_status as
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
    when p.id is not null then 'PUBLISHED'
    else 'PENDING'
  end as status,
  coalesce(s.attempts, 0) as attempts,
  coalesce(s.unknown_outcome, false) as unknown_outcome,
  s.next_attempt_at,
  s.last_reason,
  s.last_detail,
  s.changed_at as state_changed_at,
  h.row_id is not null as held,
  case when o.available_at > clock_timestamp() then o.available_at end as delayed_until,
  p.published_at,
  o.created_at,
  o.available_at,
  o.correlation_id,
  o.causation_id,
  o.traceparent,
  o.content_type,
  octet_length(o.payload) as payload_bytes
from ${schema}.waybill_outbox o
left join ${schema}.waybill_row_state s
  on s.row_id = o.id
    and s.row_created = case when isfinite(o.created_at)
      then (extract(epoch from o.created_at) * 1000000)::bigint else 0 end
left join ${schema}.waybill_held h
  on h.row_id = o.id
    and h.row_created = case when isfinite(o.created_at)
      then (extract(epoch from o.created_at) * 1000000)::bigint else 0 end
left join ${schema}.waybill_published p
  on p.id = o.id
    and p.row_created = case when isfinite(o.created_at)
      then (extract(epoch from o.created_at) * 1000000)::bigint else 0 end;
