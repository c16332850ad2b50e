package io.waybill.testkit;

class MariaDbWalletLayoutStoreTest extends OutboxStoreContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.WALLET);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
