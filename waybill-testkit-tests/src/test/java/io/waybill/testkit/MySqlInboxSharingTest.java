package io.waybill.testkit;

class MySqlInboxSharingTest extends InboxSharingContract {
  private static final InboxDatabase DATABASE = new MySqlInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
