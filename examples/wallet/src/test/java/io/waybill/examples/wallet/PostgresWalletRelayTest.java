package io.waybill.examples.wallet;

final class PostgresWalletRelayTest extends WalletRelayContract {
  @Override
  WalletDatabase database() {
    return TestDatabases.POSTGRES.get();
  }
}
