package io.waybill.testkit.append;

import java.sql.SQLException;

class MySqlEventOutboxFidelityTest extends LayoutFidelityContract {
  @Override
  TableAppendDatabase launch() throws SQLException {
    return new TableAppendDatabase(new MySqlAppendDatabase(), AppendSample.EVENT_OUTBOX);
  }
}
