package io.waybill.it;

import io.waybill.database.DatabaseKind;
import org.junit.jupiter.api.Tag;

@Tag("long")
class MariaDbNotificationProducerTest extends NotificationProducerContract {
  MariaDbNotificationProducerTest() {
    super(DatabaseKind.MARIADB);
  }
}
