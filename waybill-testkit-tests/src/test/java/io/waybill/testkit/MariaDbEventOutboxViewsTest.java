package io.waybill.testkit;

class MariaDbEventOutboxViewsTest extends EventOutboxViewsContract {
  @Override
  TestDatabase database() {
    return new MariaDbTestDatabase();
  }
}
