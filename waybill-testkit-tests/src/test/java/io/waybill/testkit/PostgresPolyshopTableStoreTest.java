package io.waybill.testkit;

import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresPolyshopTableStoreTest extends OutboxStoreContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.POLYSHOP);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
