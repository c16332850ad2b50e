package io.waybill.testkit;

class MariaDbWalletStorageTest extends StorageContract {
  private static final LayoutFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.WALLET);

  @Override
  protected LayoutFixture fixture() {
    return FIXTURE;
  }

  @Override
  String url() {
    return new MariaDbTestDatabase().url(FIXTURE.schema());
  }
}
