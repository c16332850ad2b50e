package io.waybill.testkit.append;

import java.sql.SQLException;

class MySqlPolyshopFidelityTest extends LayoutFidelityContract {
  @Override
  TableAppendDatabase launch() throws SQLException {
    return new TableAppendDatabase(new MySqlAppendDatabase(), AppendSample.POLYSHOP);
  }
}
