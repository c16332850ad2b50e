package io.waybill.proof.proxy;

import io.waybill.database.DatabaseKind;

class PostgresProxyTest extends DatabaseProxyContract {
  PostgresProxyTest() {
    super(DatabaseKind.POSTGRESQL, Protocol.POSTGRESQL, "bytea");
  }

  @Override
  String setting() {
    return "select 1";
  }
}
