package io.waybill.testkit;

class MariaDbLaneStoreTest extends LaneStoreContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.OWN);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
