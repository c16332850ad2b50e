package io.waybill.testkit;

class MariaDbEventOutboxRetentionTest extends RetentionContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.EVENT_OUTBOX);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
