package io.waybill.testkit;

class MySqlInboxStartsTest extends InboxStartsContract {
  private static final InboxDatabase DATABASE = new MySqlInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
