package io.waybill.testkit.append;

import java.sql.SQLException;

class PostgresOutboxAppendTest extends OutboxAppendContract {
  @Override
  AppendDatabase launch() throws SQLException {
    return new PostgresAppendDatabase();
  }
}
