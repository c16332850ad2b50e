package io.waybill.it;

import io.waybill.database.DatabaseKind;
import org.junit.jupiter.api.Tag;

@Tag("long")
class MariaDbNotificationLoadTest extends NotificationLoadContract {
  MariaDbNotificationLoadTest() {
    super(DatabaseKind.MARIADB);
  }
}
