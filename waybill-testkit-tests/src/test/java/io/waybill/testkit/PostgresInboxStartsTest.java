package io.waybill.testkit;

class PostgresInboxStartsTest extends InboxStartsContract {
  private static final InboxDatabase DATABASE = new PostgresInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
