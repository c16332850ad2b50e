package io.waybill.testkit;

class MySqlInboxFailureTextTest extends InboxFailureTextContract {
  private static final InboxDatabase DATABASE = new MySqlInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
