package io.waybill.testkit.append;

import java.sql.SQLException;

class PostgresNotificationFidelityTest extends LayoutFidelityContract {
  @Override
  TableAppendDatabase launch() throws SQLException {
    return new TableAppendDatabase(new PostgresAppendDatabase(), AppendSample.NOTIFICATION);
  }
}
