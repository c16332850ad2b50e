package io.waybill.testkit;

class MariaDbEventOutboxLayoutReaderTest extends OutboxReaderContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.EVENT_OUTBOX);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
