package io.waybill.it;

import io.waybill.jdbc.DatabaseKind;
import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresNotificationLoadTest extends NotificationLoadContract {
  PostgresNotificationLoadTest() {
    super(DatabaseKind.POSTGRESQL);
  }
}
