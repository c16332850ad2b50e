package io.waybill.testkit.append;

import java.sql.SQLException;

class MySqlAppendFidelityTest extends AppendFidelityContract {
  @Override
  AppendDatabase launch() throws SQLException {
    return new MySqlAppendDatabase();
  }
}
