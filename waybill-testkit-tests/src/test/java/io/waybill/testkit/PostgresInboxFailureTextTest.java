package io.waybill.testkit;

class PostgresInboxFailureTextTest extends InboxFailureTextContract {
  private static final InboxDatabase DATABASE = new PostgresInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
