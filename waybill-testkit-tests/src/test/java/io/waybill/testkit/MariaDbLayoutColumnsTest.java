package io.waybill.testkit;

class MariaDbLayoutColumnsTest extends LayoutColumnsContract {
  @Override
  TestDatabase database() {
    return new MariaDbTestDatabase();
  }
}
