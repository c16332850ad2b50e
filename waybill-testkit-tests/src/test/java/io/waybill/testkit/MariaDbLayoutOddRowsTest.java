package io.waybill.testkit;

import org.junit.jupiter.api.Tag;

@Tag("long")
class MariaDbLayoutOddRowsTest extends LayoutOddRowsContract {
  private static final TestDatabase DATABASE = new MariaDbTestDatabase();
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
