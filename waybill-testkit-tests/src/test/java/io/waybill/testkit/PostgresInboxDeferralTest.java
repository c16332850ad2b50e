package io.waybill.testkit;

class PostgresInboxDeferralTest extends InboxDeferralContract {
  private static final InboxDatabase DATABASE = new PostgresInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }
}
