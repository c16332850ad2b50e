package io.waybill.testkit.append;

import java.sql.SQLException;

class MySqlWalletAppendTest extends OutboxAppendContract {
  @Override
  AppendDatabase launch() throws SQLException {
    return new TableAppendDatabase(new MySqlAppendDatabase(), AppendSample.WALLET);
  }
}
