package io.waybill.testkit;

class PostgresWalletStorageTest extends StorageContract {
  private static final LayoutFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.WALLET);

  @Override
  protected LayoutFixture fixture() {
    return FIXTURE;
  }

  @Override
  String url() {
    return PostgresFixture.SERVER.jdbcUrl();
  }
}
