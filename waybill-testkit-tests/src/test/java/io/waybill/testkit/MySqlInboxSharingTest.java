package io.waybill.testkit;

import org.junit.jupiter.api.Tag;

@Tag("long")
class MySqlInboxSharingTest extends InboxSharingContract {
  private static final InboxDatabase DATABASE = new MySqlInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
