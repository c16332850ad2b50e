package io.waybill.testkit;

class PostgresInboxStoreTest extends InboxStoreContract {
  private static final InboxDatabase DATABASE = new PostgresInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
