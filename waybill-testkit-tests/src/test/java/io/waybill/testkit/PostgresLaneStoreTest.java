package io.waybill.testkit;

import io.waybill.database.OnPublished;

class PostgresLaneStoreTest extends SessionLockContract {
  private static final StoreFixture FIXTURE = new PostgresFixture(OnPublished.DELETE);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }

  @Override
  String holder(long fence) {
    return """
        select pid from pg_locks
        where locktype = 'advisory' and granted and classid = '%s'::regclass and objid = %d"""
        .formatted(FIXTURE.table("session"), fence);
  }

  @Override
  String end(long connection) {
    return "select pg_terminate_backend(%d)".formatted(connection);
  }
}
