package io.waybill.examples.wallet;

final class PostgresWalletOutboxTest extends WalletOutboxContract {
  @Override
  WalletDatabase database() {
    return TestDatabases.POSTGRES.get();
  }
}
