package io.waybill.testkit;

class PostgresInboxSuspectsTest extends InboxSuspectsContract {
  private static final InboxDatabase DATABASE = new PostgresInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
