package io.waybill.testkit.append;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresWalletAppendTest extends OutboxAppendContract {
  @Override
  AppendDatabase launch() throws SQLException {
    return new TableAppendDatabase(new PostgresAppendDatabase(), AppendSample.WALLET);
  }
}
