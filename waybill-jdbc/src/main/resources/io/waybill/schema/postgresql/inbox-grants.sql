grant usage on schema ${schema} to ${consumer}, ${reader};

grant select, insert, delete on ${schema}.${processed} to ${consumer};
grant select, insert, update, delete on
  ${schema}.waybill_inbox_deferred,
  ${schema}.waybill_inbox_attempt to ${consumer};
grant select, insert on ${schema}.waybill_inbox_consumer to ${consumer};
grant select, insert, update on ${schema}.waybill_inbox_lane to ${consumer};
grant select on ${schema}.waybill_inbox_version to ${consumer};

grant select on
  ${schema}.${processed},
  ${schema}.waybill_inbox_deferred,
  ${schema}.waybill_inbox_attempt,
  ${schema}.waybill_inbox_consumer,
  ${schema}.waybill_inbox_lane,
  ${schema}.waybill_inbox_version to ${reader};
