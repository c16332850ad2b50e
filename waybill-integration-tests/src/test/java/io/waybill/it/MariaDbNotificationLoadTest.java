package io.waybill.it;

import io.waybill.jdbc.DatabaseKind;

class MariaDbNotificationLoadTest extends NotificationLoadContract {
  MariaDbNotificationLoadTest() {
    super(DatabaseKind.MARIADB);
  }
}
