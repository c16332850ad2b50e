package io.waybill.testkit.append;

import java.sql.SQLException;

class MySqlEventOutboxAppendTest extends OutboxAppendContract {
  @Override
  AppendDatabase launch() throws SQLException {
    return new TableAppendDatabase(new MySqlAppendDatabase(), AppendSample.EVENT_OUTBOX);
  }
}
