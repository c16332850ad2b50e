package io.waybill.testkit;

class PostgresStorageTest extends StorageContract {
  private static final LayoutFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.OWN);

  @Override
  protected LayoutFixture fixture() {
    return FIXTURE;
  }

  @Override
  String url() {
    return PostgresFixture.SERVER.jdbcUrl();
  }
}
