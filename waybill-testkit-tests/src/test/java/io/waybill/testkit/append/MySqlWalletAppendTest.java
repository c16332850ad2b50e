package io.waybill.testkit.append;

import java.sql.SQLException;

class MySqlWalletAppendTest extends OutboxAppendContract {
  @Override
  AppendDatabase launch() throws SQLException {
    return new LayoutAppendDatabase(new MySqlAppendDatabase(), AppendSample.WALLET);
  }
}
