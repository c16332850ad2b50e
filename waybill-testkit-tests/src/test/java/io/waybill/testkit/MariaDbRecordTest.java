package io.waybill.testkit;

class MariaDbRecordTest extends RecordContract {
  private static final LayoutFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.NOTIFICATION);

  @Override
  protected LayoutFixture fixture() {
    return FIXTURE;
  }
}
