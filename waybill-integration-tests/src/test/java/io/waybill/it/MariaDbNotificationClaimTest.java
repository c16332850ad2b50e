package io.waybill.it;

import io.waybill.database.DatabaseKind;
import org.junit.jupiter.api.Tag;

@Tag("long")
class MariaDbNotificationClaimTest extends NotificationClaimContract {
  MariaDbNotificationClaimTest() {
    super(DatabaseKind.MARIADB);
  }
}
