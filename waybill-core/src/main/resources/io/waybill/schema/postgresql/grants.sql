grant usage on schema ${schema} to ${writer}, ${relay}, ${reader};

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
  ${schema}.waybill_audit,
  ${schema}.waybill_request,
  ${schema}.waybill_destination to ${relay};
grant select, update on ${schema}.waybill_lane to ${relay};
grant select on ${schema}.waybill_schema_version, ${schema}.waybill_outbox_status to ${relay};

grant select on
  ${schema}.waybill_outbox,
  ${schema}.waybill_session,
  ${schema}.waybill_lane,
  ${schema}.waybill_row_state,
  ${schema}.waybill_held,
  ${schema}.waybill_published,
  ${schema}.waybill_audit,
  ${schema}.waybill_request,
  ${schema}.waybill_destination,
  ${schema}.waybill_schema_version,
  ${schema}.waybill_outbox_status to ${reader};
