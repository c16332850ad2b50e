package io.waybill.testkit;

class MariaDbLaneStoreTest extends SessionLockContract {
  private static final LayoutFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.OWN);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }

  @Override
  String holder(long fence) {
    return """
        select is_used_lock(concat('waybill.',
          left(sha2('%s.waybill_session', 256), 24), '.', %d))"""
        .formatted(FIXTURE.schema(), fence);
  }

  @Override
  String end(long connection) {
    return "kill " + connection;
  }
}
