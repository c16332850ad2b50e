package io.waybill.testkit;

class PostgresDocumentedTableTest extends DocumentedTableContract {
  @Override
  TestDatabase database() {
    return new PostgresTestDatabase();
  }
}
