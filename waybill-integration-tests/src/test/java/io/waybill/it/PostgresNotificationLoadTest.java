package io.waybill.it;

import io.waybill.database.DatabaseKind;
import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresNotificationLoadTest extends NotificationLoadContract {
  PostgresNotificationLoadTest() {
    super(DatabaseKind.POSTGRESQL);
  }
}
