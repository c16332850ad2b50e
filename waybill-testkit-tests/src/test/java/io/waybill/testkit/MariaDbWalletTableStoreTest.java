package io.waybill.testkit;

import org.junit.jupiter.api.Tag;

@Tag("long")
class MariaDbWalletTableStoreTest extends OutboxStoreContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.WALLET);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
