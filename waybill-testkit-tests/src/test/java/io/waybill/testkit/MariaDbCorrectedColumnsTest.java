package io.waybill.testkit;

class MariaDbCorrectedColumnsTest extends CorrectedColumnsContract {
  @Override
  TestDatabase database() {
    return new MariaDbTestDatabase();
  }
}
