package io.waybill.it;

import io.waybill.database.DatabaseKind;
import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresNotificationClaimTest extends NotificationClaimContract {
  PostgresNotificationClaimTest() {
    super(DatabaseKind.POSTGRESQL);
  }
}
