package io.waybill.testkit.append;

import java.sql.SQLException;

class PostgresNotificationAppendTest extends OutboxAppendContract {
  @Override
  AppendDatabase launch() throws SQLException {
    return new TableAppendDatabase(new PostgresAppendDatabase(), AppendSample.NOTIFICATION);
  }
}
