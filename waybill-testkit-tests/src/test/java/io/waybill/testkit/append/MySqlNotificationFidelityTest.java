package io.waybill.testkit.append;

import java.sql.SQLException;

class MySqlNotificationFidelityTest extends LayoutFidelityContract {
  @Override
  TableAppendDatabase launch() throws SQLException {
    return new TableAppendDatabase(new MySqlAppendDatabase(), AppendSample.NOTIFICATION);
  }
}
