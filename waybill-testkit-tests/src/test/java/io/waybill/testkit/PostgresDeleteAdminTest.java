package io.waybill.testkit;

import io.waybill.database.OnPublished;
import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresDeleteAdminTest extends AdminContract {
  private static final StoreFixture FIXTURE = new PostgresFixture(OnPublished.DELETE);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
