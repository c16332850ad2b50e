-- Writers insert events and nothing else; the other columns are the database's own.
grant insert (event_id, event_type, event_version, aggregate_type, aggregate_id, payload,
  content_type, headers, correlation_id, causation_id, traceparent, available_at)
  on ${schema}.waybill_outbox to ${writer};

grant select, delete, update (published, published_at) on ${schema}.waybill_outbox to ${relay};
grant select, insert, update, delete on ${schema}.waybill_session to ${relay};
grant select, insert, update, delete on ${schema}.waybill_row_state to ${relay};
grant select, insert, update, delete on ${schema}.waybill_held to ${relay};
grant select, insert, update, delete on ${schema}.waybill_request to ${relay};
grant select, insert, update, delete on ${schema}.waybill_destination to ${relay};
grant select, insert, update, delete on ${schema}.waybill_job to ${relay};
grant select, insert, update, delete on ${schema}.waybill_job_event to ${relay};
grant select, insert, update, delete on ${schema}.waybill_note to ${relay};
grant select, insert, update, delete on ${schema}.waybill_rollup to ${relay};
grant select, update on ${schema}.waybill_lane to ${relay};
grant select on ${schema}.waybill_schema_version to ${relay};
grant select on ${schema}.waybill_outbox_status to ${relay};

-- Operators ask; relays do it. Nobody changes or removes what the audit has, or says in it who he
-- is to the database; relays add the answers.
grant insert on ${schema}.waybill_request to ${operator};
grant insert, update on ${schema}.waybill_destination to ${operator};
grant select, insert, update, delete on ${schema}.waybill_job to ${operator};
grant select, insert, update, delete on ${schema}.waybill_job_event to ${operator};
grant select, insert, update, delete on ${schema}.waybill_note to ${operator};
grant select, insert (${audit_columns}) on ${schema}.waybill_audit to ${operator};
grant select, insert (${audit_columns}), update (completed_at, done, note)
  on ${schema}.waybill_audit to ${relay};

-- Everything but the payload.
grant select (id, created_at, available_at, event_version, lane, published, published_at, event_id,
  event_type, aggregate_type, aggregate_id, content_type, correlation_id, causation_id,
  traceparent, headers) on ${schema}.waybill_outbox to ${operator};
grant select on ${schema}.waybill_session to ${operator};
grant select on ${schema}.waybill_lane to ${operator};
grant select on ${schema}.waybill_row_state to ${operator};
grant select on ${schema}.waybill_held to ${operator};
grant select on ${schema}.waybill_audit to ${operator};
grant select on ${schema}.waybill_request to ${operator};
grant select on ${schema}.waybill_destination to ${operator};
grant select on ${schema}.waybill_rollup to ${operator};
grant select on ${schema}.waybill_schema_version to ${operator};
grant select on ${schema}.waybill_outbox_status to ${operator};
grant select (id, created_at, available_at, event_version, lane, published, published_at, event_id,
  event_type, aggregate_type, aggregate_id, content_type, correlation_id, causation_id,
  traceparent, headers) on ${schema}.waybill_outbox to ${reader};
grant select on ${schema}.waybill_session to ${reader};
grant select on ${schema}.waybill_lane to ${reader};
grant select on ${schema}.waybill_row_state to ${reader};
grant select on ${schema}.waybill_held to ${reader};
grant select on ${schema}.waybill_audit to ${reader};
grant select on ${schema}.waybill_request to ${reader};
grant select on ${schema}.waybill_destination to ${reader};
grant select on ${schema}.waybill_job to ${reader};
grant select on ${schema}.waybill_job_event to ${reader};
grant select on ${schema}.waybill_note to ${reader};
grant select on ${schema}.waybill_rollup to ${reader};
grant select on ${schema}.waybill_schema_version to ${reader};
grant select on ${schema}.waybill_outbox_status to ${reader};
