package io.waybill.testkit;

import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresEventOutboxTableReaderTest extends OutboxReaderContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.EVENT_OUTBOX);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
