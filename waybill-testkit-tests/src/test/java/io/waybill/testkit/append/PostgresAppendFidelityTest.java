package io.waybill.testkit.append;

import java.sql.SQLException;

class PostgresAppendFidelityTest extends AppendFidelityContract {
  @Override
  AppendDatabase launch() throws SQLException {
    return new PostgresAppendDatabase();
  }
}
