package io.waybill.testkit;

class PostgresWayBackTest extends WayBackContract {
  @Override
  TestDatabase database() {
    return new PostgresTestDatabase();
  }
}
