package io.waybill.testkit;

class MariaDbEventOutboxAdminTest extends AdminContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.EVENT_OUTBOX);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
