package io.waybill.testkit;

class PostgresLayoutClockTest extends LayoutClockContract {
  private static final TestDatabase DATABASE = new PostgresTestDatabase();
  private static final LayoutFixture FIXTURE =
      new LayoutFixture(DATABASE, SampleTable.EVENT_OUTBOX);

  @Override
  protected LayoutFixture fixture() {
    return FIXTURE;
  }

  @Override
  TestDatabase database() {
    return DATABASE;
  }
}
