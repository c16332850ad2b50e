package io.waybill.testkit;

class PostgresInboxOutcomeTest extends InboxOutcomeContract {
  private static final InboxDatabase DATABASE = new PostgresInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
