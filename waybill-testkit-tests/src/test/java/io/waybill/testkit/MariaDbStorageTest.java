package io.waybill.testkit;

class MariaDbStorageTest extends StorageContract {
  private static final LayoutFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.OWN);

  @Override
  protected LayoutFixture fixture() {
    return FIXTURE;
  }

  @Override
  String url() {
    return new MariaDbTestDatabase().url(FIXTURE.schema());
  }
}
