package io.waybill.testkit;

class PostgresInboxStatementsTest extends InboxStatementsContract {
  private static final InboxDatabase DATABASE = new PostgresInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
