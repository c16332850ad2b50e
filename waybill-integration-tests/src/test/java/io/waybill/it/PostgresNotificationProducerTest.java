package io.waybill.it;

import io.waybill.jdbc.DatabaseKind;
import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresNotificationProducerTest extends NotificationProducerContract {
  PostgresNotificationProducerTest() {
    super(DatabaseKind.POSTGRESQL);
  }
}
