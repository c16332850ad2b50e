package io.waybill.testkit;

import io.waybill.database.OnPublished;

class PostgresRetentionTest extends RetentionContract {
  private static final StoreFixture FIXTURE = new PostgresFixture(OnPublished.KEEP);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
