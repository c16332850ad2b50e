package io.waybill.testkit;

class PostgresInboxSharingTest extends InboxSharingContract {
  private static final InboxDatabase DATABASE = new PostgresInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
