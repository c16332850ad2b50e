package io.waybill.testkit;

class MariaDbNotificationAdminTest extends AdminContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.NOTIFICATION);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
