package io.waybill.examples.services.wallet;

import io.waybill.database.DatabaseKind;

class MariaDbWalletServiceTest extends WalletServiceContract {
  MariaDbWalletServiceTest() {
    super(DatabaseKind.MARIADB, "mysql");
  }
}
