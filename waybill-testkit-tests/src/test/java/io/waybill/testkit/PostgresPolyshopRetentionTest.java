package io.waybill.testkit;

class PostgresPolyshopRetentionTest extends RetentionContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.POLYSHOP);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
