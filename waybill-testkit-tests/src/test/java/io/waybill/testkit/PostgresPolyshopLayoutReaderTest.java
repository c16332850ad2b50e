package io.waybill.testkit;

class PostgresPolyshopLayoutReaderTest extends OutboxReaderContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.POLYSHOP);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
