package io.waybill.testkit;

class PostgresLayoutColumnsTest extends LayoutColumnsContract {
  @Override
  TestDatabase database() {
    return new PostgresTestDatabase();
  }
}
