package io.waybill.testkit;

class MariaDbOwnPurgeGrantTest extends PurgeGrantContract {
  private static final LayoutFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.OWN);

  @Override
  protected LayoutFixture fixture() {
    return FIXTURE;
  }
}
