package io.waybill.testkit;

import org.junit.jupiter.api.Tag;

@Tag("long")
class MariaDbPolyshopTableStoreTest extends OutboxStoreContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.POLYSHOP);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
