grant select, insert, update, delete on ${schema}.waybill_login to ${role};
