package io.waybill.examples.wallet;

final class PostgresWalletPublishingTest extends WalletPublishingContract {
  @Override
  WalletDatabase database() {
    return TestDatabases.POSTGRES.get();
  }
}
