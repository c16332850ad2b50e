package io.waybill.testkit;

import org.junit.jupiter.api.Tag;

@Tag("long")
class MariaDbEventOutboxRetentionTest extends RetentionContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.EVENT_OUTBOX);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
