package io.waybill.testkit;

class PostgresOwnLayoutReaderTest extends OutboxReaderContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.OWN);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
