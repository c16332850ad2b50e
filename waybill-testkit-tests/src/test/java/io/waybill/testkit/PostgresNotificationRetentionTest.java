package io.waybill.testkit;

class PostgresNotificationRetentionTest extends RetentionContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.NOTIFICATION);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
