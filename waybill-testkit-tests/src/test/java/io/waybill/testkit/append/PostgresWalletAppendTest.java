package io.waybill.testkit.append;

import java.sql.SQLException;

class PostgresWalletAppendTest extends OutboxAppendContract {
  @Override
  AppendDatabase launch() throws SQLException {
    return new LayoutAppendDatabase(new PostgresAppendDatabase(), AppendSample.WALLET);
  }
}
