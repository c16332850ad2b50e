grant usage on schema ${schema} to ${writer}, ${relay}, ${operator}, ${reader};

-- Writers insert events and nothing else; the other columns are the database's own.
grant insert (event_id, event_type, event_version, aggregate_type, aggregate_id, payload,
  content_type, headers, correlation_id, causation_id, traceparent, available_at)
  on ${schema}.waybill_outbox to ${writer};

grant select, delete on ${schema}.waybill_outbox to ${relay};
grant select on sequence ${schema}.waybill_outbox_id_seq to ${relay};
grant select, insert, update, delete on
  ${schema}.waybill_session,
  ${schema}.waybill_row_state,
  ${schema}.waybill_held,
  ${schema}.waybill_published,
  ${schema}.waybill_request,
  ${schema}.waybill_destination,
  ${schema}.waybill_job,
  ${schema}.waybill_job_event,
  ${schema}.waybill_note,
  ${schema}.waybill_rollup to ${relay};
grant select, update on ${schema}.waybill_lane to ${relay};
grant select on ${schema}.waybill_schema_version, ${schema}.waybill_outbox_status to ${relay};

-- Operators ask; relays do it. Nobody changes or removes what the audit has, or says in it who he
-- is to the database; relays add the answers.
grant insert on ${schema}.waybill_request to ${operator};
grant insert, update on ${schema}.waybill_destination to ${operator};
grant insert, update, delete on
  ${schema}.waybill_job,
  ${schema}.waybill_job_event,
  ${schema}.waybill_note to ${operator};
grant select, insert (${audit_columns}) on ${schema}.waybill_audit to ${operator}, ${relay};
grant update (completed_at, done, note) on ${schema}.waybill_audit to ${relay};

-- Everything but the payload.
grant select (xid, id, created_at, available_at, event_version, lane, event_id, event_type,
  aggregate_type, aggregate_id, content_type, correlation_id, causation_id, traceparent, headers)
  on ${schema}.waybill_outbox to ${operator}, ${reader};
grant select on
  ${schema}.waybill_session,
  ${schema}.waybill_lane,
  ${schema}.waybill_row_state,
  ${schema}.waybill_held,
  ${schema}.waybill_published,
  ${schema}.waybill_audit,
  ${schema}.waybill_request,
  ${schema}.waybill_destination,
  ${schema}.waybill_job,
  ${schema}.waybill_job_event,
  ${schema}.waybill_note,
  ${schema}.waybill_rollup,
  ${schema}.waybill_schema_version,
  ${schema}.waybill_outbox_status to ${operator}, ${reader};
