package io.waybill.testkit.append;

import java.sql.SQLException;

class MySqlPolyshopAppendTest extends OutboxAppendContract {
  @Override
  AppendDatabase launch() throws SQLException {
    return new TableAppendDatabase(new MySqlAppendDatabase(), AppendSample.POLYSHOP);
  }
}
