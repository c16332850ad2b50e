package io.waybill.testkit;

class PostgresLayoutNotesTest extends LayoutNotesContract {
  @Override
  TestDatabase database() {
    return new PostgresTestDatabase();
  }
}
