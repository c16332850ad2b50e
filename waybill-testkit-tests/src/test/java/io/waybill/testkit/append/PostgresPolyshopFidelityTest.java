package io.waybill.testkit.append;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresPolyshopFidelityTest extends LayoutFidelityContract {
  @Override
  TableAppendDatabase launch() throws SQLException {
    return new TableAppendDatabase(new PostgresAppendDatabase(), AppendSample.POLYSHOP);
  }
}
