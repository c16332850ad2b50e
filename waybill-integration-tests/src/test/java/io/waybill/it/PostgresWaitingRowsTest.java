package io.waybill.it;

import io.waybill.database.DatabaseKind;
import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresWaitingRowsTest extends WaitingRowsContract {
  PostgresWaitingRowsTest() {
    super(DatabaseKind.POSTGRESQL);
  }
}
