package io.waybill.testkit;

class PostgresEventOutboxViewsTest extends EventOutboxViewsContract {
  @Override
  TestDatabase database() {
    return new PostgresTestDatabase();
  }
}
