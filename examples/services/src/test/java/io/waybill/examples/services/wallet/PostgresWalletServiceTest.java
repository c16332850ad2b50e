package io.waybill.examples.services.wallet;

import io.waybill.database.DatabaseKind;

class PostgresWalletServiceTest extends WalletServiceContract {
  PostgresWalletServiceTest() {
    super(DatabaseKind.POSTGRESQL, "postgresql");
  }
}
