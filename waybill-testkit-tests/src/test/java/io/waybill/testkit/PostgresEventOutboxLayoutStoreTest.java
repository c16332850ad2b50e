package io.waybill.testkit;

class PostgresEventOutboxLayoutStoreTest extends OutboxStoreContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.EVENT_OUTBOX);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
