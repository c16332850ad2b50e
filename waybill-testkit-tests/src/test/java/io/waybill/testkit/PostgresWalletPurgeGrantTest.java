package io.waybill.testkit;

class PostgresWalletPurgeGrantTest extends PurgeGrantContract {
  private static final LayoutFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.WALLET);

  @Override
  protected LayoutFixture fixture() {
    return FIXTURE;
  }
}
