package io.waybill.proof.proxy;

import io.waybill.database.DatabaseKind;

class MariaDbProxyTest extends DatabaseProxyContract {
  MariaDbProxyTest() {
    super(DatabaseKind.MARIADB, Protocol.MYSQL, "longblob");
  }

  @Override
  String setting() {
    return "set global max_allowed_packet = 67108864";
  }
}
