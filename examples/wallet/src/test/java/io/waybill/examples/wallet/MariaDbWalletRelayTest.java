package io.waybill.examples.wallet;

import org.junit.jupiter.api.Tag;

@Tag("long")
final class MariaDbWalletRelayTest extends WalletRelayContract {
  @Override
  WalletDatabase database() {
    return TestDatabases.MARIADB.get();
  }
}
