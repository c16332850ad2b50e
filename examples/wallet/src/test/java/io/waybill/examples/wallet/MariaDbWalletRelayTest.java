package io.waybill.examples.wallet;

final class MariaDbWalletRelayTest extends WalletRelayContract {
  @Override
  WalletDatabase database() {
    return TestDatabases.MARIADB.get();
  }
}
