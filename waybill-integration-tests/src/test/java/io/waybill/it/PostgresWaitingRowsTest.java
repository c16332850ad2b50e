package io.waybill.it;

import io.waybill.database.DatabaseKind;

class PostgresWaitingRowsTest extends WaitingRowsContract {
  PostgresWaitingRowsTest() {
    super(DatabaseKind.POSTGRESQL);
  }
}
