package io.waybill.testkit;

class MySqlInboxTablesTest extends InboxTablesContract {
  private static final InboxDatabase DATABASE = new MySqlInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
