package io.waybill.testkit;

import io.waybill.database.OnPublished;
import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresOutboxReaderKeepTest extends OutboxReaderContract {
  private static final StoreFixture FIXTURE = new PostgresFixture(OnPublished.KEEP);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
