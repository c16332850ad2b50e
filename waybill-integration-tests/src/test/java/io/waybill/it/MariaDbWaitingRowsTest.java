package io.waybill.it;

import io.waybill.database.DatabaseKind;

class MariaDbWaitingRowsTest extends WaitingRowsContract {
  MariaDbWaitingRowsTest() {
    super(DatabaseKind.MARIADB);
  }
}
