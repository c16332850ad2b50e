package io.waybill.testkit.append;

import java.sql.SQLException;

class PostgresNotificationFidelityTest extends LayoutFidelityContract {
  @Override
  LayoutAppendDatabase launch() throws SQLException {
    return new LayoutAppendDatabase(new PostgresAppendDatabase(), AppendSample.NOTIFICATION);
  }
}
