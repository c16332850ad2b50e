package io.waybill.testkit;

import io.waybill.jdbc.OnPublished;

class PostgresOutboxStoreKeepTest extends OutboxStoreContract {
  private static final StoreFixture FIXTURE = new PostgresFixture(OnPublished.KEEP);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
