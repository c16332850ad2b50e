package io.waybill.testkit;

class MariaDbWayBackTest extends WayBackContract {
  @Override
  TestDatabase database() {
    return new MariaDbTestDatabase();
  }
}
