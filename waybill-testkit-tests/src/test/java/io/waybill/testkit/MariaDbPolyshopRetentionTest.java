package io.waybill.testkit;

class MariaDbPolyshopRetentionTest extends RetentionContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.POLYSHOP);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
