package io.waybill.testkit;

class PostgresInboxTablesTest extends InboxTablesContract {
  private static final InboxDatabase DATABASE = new PostgresInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
