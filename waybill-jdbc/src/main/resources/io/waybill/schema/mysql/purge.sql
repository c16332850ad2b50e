grant delete on ${schema}.waybill_outbox to ${role};
grant delete on ${schema}.waybill_row_state to ${role};
