package io.waybill.testkit.append;

import java.sql.SQLException;

class MySqlWalletFidelityTest extends LayoutFidelityContract {
  @Override
  LayoutAppendDatabase launch() throws SQLException {
    return new LayoutAppendDatabase(new MySqlAppendDatabase(), AppendSample.WALLET);
  }
}
