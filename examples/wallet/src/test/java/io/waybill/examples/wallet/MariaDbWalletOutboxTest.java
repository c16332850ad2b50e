package io.waybill.examples.wallet;

final class MariaDbWalletOutboxTest extends WalletOutboxContract {
  @Override
  WalletDatabase database() {
    return TestDatabases.MARIADB.get();
  }
}
