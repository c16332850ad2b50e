package io.waybill.testkit;

class MariaDbWalletAdminTest extends AdminContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.WALLET);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
