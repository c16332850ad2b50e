package io.waybill.it;

import io.waybill.jdbc.DatabaseKind;

class PostgresNotificationLoadTest extends NotificationLoadContract {
  PostgresNotificationLoadTest() {
    super(DatabaseKind.POSTGRESQL);
  }
}
