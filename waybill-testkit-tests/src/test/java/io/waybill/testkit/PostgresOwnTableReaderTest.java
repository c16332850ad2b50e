package io.waybill.testkit;

import org.junit.jupiter.api.Tag;

/** What any table can do, on a table that PostgreSQL reads by commit windows: a comparison. */
@Tag("long")
class PostgresOwnTableReaderTest extends OutboxReaderContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.OWN);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
