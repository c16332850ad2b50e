package io.waybill.testkit;

class PostgresOwnLayoutStoreTest extends OutboxStoreContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.OWN);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
