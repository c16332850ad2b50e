package io.waybill.testkit;

import org.junit.jupiter.api.Tag;

/** As {@link PostgresOwnLayoutReaderTest}. */
@Tag("long")
class PostgresOwnLayoutStoreTest extends OutboxStoreContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.OWN);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
