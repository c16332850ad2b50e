package io.waybill.it;

import io.waybill.database.DatabaseKind;
import org.junit.jupiter.api.Tag;

@Tag("long")
class MariaDbWaitingRowsTest extends WaitingRowsContract {
  MariaDbWaitingRowsTest() {
    super(DatabaseKind.MARIADB);
  }
}
