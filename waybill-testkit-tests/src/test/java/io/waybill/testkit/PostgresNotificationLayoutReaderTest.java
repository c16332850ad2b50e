package io.waybill.testkit;

class PostgresNotificationLayoutReaderTest extends OutboxReaderContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.NOTIFICATION);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
