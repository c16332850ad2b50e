package io.waybill.testkit;

class MariaDbWalletPurgeGrantTest extends PurgeGrantContract {
  private static final LayoutFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.WALLET);

  @Override
  protected LayoutFixture fixture() {
    return FIXTURE;
  }
}
