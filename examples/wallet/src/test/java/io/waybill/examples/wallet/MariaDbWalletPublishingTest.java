package io.waybill.examples.wallet;

final class MariaDbWalletPublishingTest extends WalletPublishingContract {
  @Override
  WalletDatabase database() {
    return TestDatabases.MARIADB.get();
  }
}
