package io.waybill.testkit.append;

import java.sql.SQLException;

class MySqlNotificationAppendTest extends OutboxAppendContract {
  @Override
  AppendDatabase launch() throws SQLException {
    return new TableAppendDatabase(new MySqlAppendDatabase(), AppendSample.NOTIFICATION);
  }
}
