package io.waybill.testkit;

class PostgresInboxHistoryTest extends InboxHistoryContract {
  private static final InboxDatabase DATABASE = new PostgresInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
