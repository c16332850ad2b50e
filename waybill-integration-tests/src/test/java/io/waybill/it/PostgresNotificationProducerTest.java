package io.waybill.it;

import io.waybill.database.DatabaseKind;
import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresNotificationProducerTest extends NotificationProducerContract {
  PostgresNotificationProducerTest() {
    super(DatabaseKind.POSTGRESQL);
  }
}
