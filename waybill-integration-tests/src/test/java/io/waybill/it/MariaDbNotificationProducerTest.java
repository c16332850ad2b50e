package io.waybill.it;

import io.waybill.jdbc.DatabaseKind;

class MariaDbNotificationProducerTest extends NotificationProducerContract {
  MariaDbNotificationProducerTest() {
    super(DatabaseKind.MARIADB);
  }
}
