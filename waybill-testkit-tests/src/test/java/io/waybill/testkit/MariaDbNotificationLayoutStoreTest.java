package io.waybill.testkit;

class MariaDbNotificationLayoutStoreTest extends OutboxStoreContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.NOTIFICATION);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
