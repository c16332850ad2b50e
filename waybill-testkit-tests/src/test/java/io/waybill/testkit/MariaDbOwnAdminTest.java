package io.waybill.testkit;

class MariaDbOwnAdminTest extends AdminContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.OWN);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
