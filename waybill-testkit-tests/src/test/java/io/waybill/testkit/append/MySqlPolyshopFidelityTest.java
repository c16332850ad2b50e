package io.waybill.testkit.append;

import java.sql.SQLException;

class MySqlPolyshopFidelityTest extends LayoutFidelityContract {
  @Override
  LayoutAppendDatabase launch() throws SQLException {
    return new LayoutAppendDatabase(new MySqlAppendDatabase(), AppendSample.POLYSHOP);
  }
}
