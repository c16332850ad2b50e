package io.waybill.it;

import io.waybill.jdbc.DatabaseKind;

class PostgresNotificationProducerTest extends NotificationProducerContract {
  PostgresNotificationProducerTest() {
    super(DatabaseKind.POSTGRESQL);
  }
}
