package io.waybill.testkit;

class MariaDbNotificationRetentionTest extends RetentionContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.NOTIFICATION);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
