package io.waybill.testkit.append;

import java.sql.SQLException;

class PostgresPolyshopFidelityTest extends LayoutFidelityContract {
  @Override
  LayoutAppendDatabase launch() throws SQLException {
    return new LayoutAppendDatabase(new PostgresAppendDatabase(), AppendSample.POLYSHOP);
  }
}
