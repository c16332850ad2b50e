package io.waybill.testkit.append;

import java.sql.SQLException;

class PostgresEventOutboxFidelityTest extends LayoutFidelityContract {
  @Override
  LayoutAppendDatabase launch() throws SQLException {
    return new LayoutAppendDatabase(new PostgresAppendDatabase(), AppendSample.EVENT_OUTBOX);
  }
}
