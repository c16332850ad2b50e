package io.waybill.testkit;

class MySqlInboxStoreTest extends InboxStoreContract {
  private static final InboxDatabase DATABASE = new MySqlInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
