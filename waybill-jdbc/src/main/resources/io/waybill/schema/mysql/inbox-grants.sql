grant select, insert, delete on ${schema}.${processed} to ${consumer};
grant select, insert, update, delete on ${schema}.waybill_inbox_deferred to ${consumer};
grant select, insert, update, delete on ${schema}.waybill_inbox_attempt to ${consumer};
grant select, insert on ${schema}.waybill_inbox_consumer to ${consumer};
grant select, insert, update on ${schema}.waybill_inbox_lane to ${consumer};
grant select on ${schema}.waybill_inbox_version to ${consumer};

grant select on ${schema}.${processed} to ${reader};
grant select on ${schema}.waybill_inbox_deferred to ${reader};
grant select on ${schema}.waybill_inbox_attempt to ${reader};
grant select on ${schema}.waybill_inbox_consumer to ${reader};
grant select on ${schema}.waybill_inbox_lane to ${reader};
grant select on ${schema}.waybill_inbox_version to ${reader};
