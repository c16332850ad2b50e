package io.waybill.testkit;

class MySqlInboxOutcomeTest extends InboxOutcomeContract {
  private static final InboxDatabase DATABASE = new MySqlInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
