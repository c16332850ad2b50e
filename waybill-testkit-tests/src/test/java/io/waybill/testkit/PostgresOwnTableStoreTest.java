package io.waybill.testkit;

import org.junit.jupiter.api.Tag;

/** As {@link PostgresOwnTableReaderTest}. */
@Tag("long")
class PostgresOwnTableStoreTest extends OutboxStoreContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.OWN);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
