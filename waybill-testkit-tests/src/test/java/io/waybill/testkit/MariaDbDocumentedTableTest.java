package io.waybill.testkit;

class MariaDbDocumentedTableTest extends DocumentedTableContract {
  @Override
  TestDatabase database() {
    return new MariaDbTestDatabase();
  }
}
