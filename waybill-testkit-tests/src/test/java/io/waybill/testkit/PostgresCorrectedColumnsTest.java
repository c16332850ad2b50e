package io.waybill.testkit;

class PostgresCorrectedColumnsTest extends CorrectedColumnsContract {
  @Override
  TestDatabase database() {
    return new PostgresTestDatabase();
  }
}
