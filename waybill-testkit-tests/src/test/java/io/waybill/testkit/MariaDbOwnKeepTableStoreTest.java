package io.waybill.testkit;

import org.junit.jupiter.api.Tag;

@Tag("long")
class MariaDbOwnKeepTableStoreTest extends OutboxStoreContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.OWN_KEEP);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
