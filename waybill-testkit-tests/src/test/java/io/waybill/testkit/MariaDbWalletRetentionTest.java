package io.waybill.testkit;

class MariaDbWalletRetentionTest extends RetentionContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.WALLET);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
