package io.waybill.testkit;

class PostgresWalletAdminTest extends AdminContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.WALLET);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
