package io.waybill.testkit;

class MariaDbOwnKeepLayoutReaderTest extends OutboxReaderContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.OWN_KEEP);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
