package io.waybill.testkit.append;

import java.sql.SQLException;

class MySqlWalletFidelityTest extends LayoutFidelityContract {
  @Override
  TableAppendDatabase launch() throws SQLException {
    return new TableAppendDatabase(new MySqlAppendDatabase(), AppendSample.WALLET);
  }
}
