package io.waybill.testkit;

class MySqlInboxSuspectsTest extends InboxSuspectsContract {
  private static final InboxDatabase DATABASE = new MySqlInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
