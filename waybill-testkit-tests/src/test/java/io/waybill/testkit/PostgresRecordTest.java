package io.waybill.testkit;

class PostgresRecordTest extends RecordContract {
  private static final LayoutFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.NOTIFICATION);

  @Override
  protected LayoutFixture fixture() {
    return FIXTURE;
  }
}
