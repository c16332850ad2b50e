package io.waybill.testkit.append;

import java.sql.SQLException;

class PostgresEventOutboxAppendTest extends OutboxAppendContract {
  @Override
  AppendDatabase launch() throws SQLException {
    return new TableAppendDatabase(new PostgresAppendDatabase(), AppendSample.EVENT_OUTBOX);
  }
}
