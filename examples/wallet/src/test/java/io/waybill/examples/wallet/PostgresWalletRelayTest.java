package io.waybill.examples.wallet;

import org.junit.jupiter.api.Tag;

@Tag("long")
final class PostgresWalletRelayTest extends WalletRelayContract {
  @Override
  WalletDatabase database() {
    return TestDatabases.POSTGRES.get();
  }
}
