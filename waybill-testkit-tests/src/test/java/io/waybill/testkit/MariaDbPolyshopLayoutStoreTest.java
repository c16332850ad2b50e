package io.waybill.testkit;

class MariaDbPolyshopLayoutStoreTest extends OutboxStoreContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.POLYSHOP);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
