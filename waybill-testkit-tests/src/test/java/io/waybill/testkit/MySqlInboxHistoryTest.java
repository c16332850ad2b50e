package io.waybill.testkit;

class MySqlInboxHistoryTest extends InboxHistoryContract {
  private static final InboxDatabase DATABASE = new MySqlInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
