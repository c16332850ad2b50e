-- Writers insert events and nothing else; the other columns are the database's own.
grant insert (event_id, event_type, event_version, aggregate_type, aggregate_id, payload,
  content_type, headers, correlation_id, causation_id, traceparent, available_at)
  on ${schema}.waybill_outbox to ${writer};

grant select, delete, update (published, published_at) on ${schema}.waybill_outbox to ${relay};
grant select, insert, update, delete on ${schema}.waybill_session to ${relay};
grant select, insert, update, delete on ${schema}.waybill_row_state to ${relay};
grant select, insert, update, delete on ${schema}.waybill_held to ${relay};
grant select, insert, update, delete on ${schema}.waybill_audit to ${relay};
grant select, insert, update, delete on ${schema}.waybill_request to ${relay};
grant select, insert, update, delete on ${schema}.waybill_destination to ${relay};
grant select, update on ${schema}.waybill_lane to ${relay};
grant select on ${schema}.waybill_schema_version to ${relay};
grant select on ${schema}.waybill_outbox_status to ${relay};

grant select on ${schema}.waybill_outbox to ${reader};
grant select on ${schema}.waybill_session to ${reader};
grant select on ${schema}.waybill_lane to ${reader};
grant select on ${schema}.waybill_row_state to ${reader};
grant select on ${schema}.waybill_held to ${reader};
grant select on ${schema}.waybill_audit to ${reader};
grant select on ${schema}.waybill_request to ${reader};
grant select on ${schema}.waybill_destination to ${reader};
grant select on ${schema}.waybill_schema_version to ${reader};
grant select on ${schema}.waybill_outbox_status to ${reader};
