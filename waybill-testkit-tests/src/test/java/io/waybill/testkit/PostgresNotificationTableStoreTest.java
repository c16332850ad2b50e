package io.waybill.testkit;

import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresNotificationTableStoreTest extends OutboxStoreContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.NOTIFICATION);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
