package io.waybill.testkit;

import org.junit.jupiter.api.Tag;

@Tag("long")
class MariaDbNotificationRetentionTest extends RetentionContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.NOTIFICATION);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
