package io.waybill.testkit;

class MariaDbLayoutNotesTest extends LayoutNotesContract {
  @Override
  TestDatabase database() {
    return new MariaDbTestDatabase();
  }
}
