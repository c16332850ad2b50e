package io.waybill.testkit;

class MySqlInboxDeferralTest extends InboxDeferralContract {
  private static final InboxDatabase DATABASE = new MySqlInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
