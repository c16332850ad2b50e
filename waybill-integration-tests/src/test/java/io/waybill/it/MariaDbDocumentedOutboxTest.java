package io.waybill.it;

import io.waybill.database.DatabaseKind;
import org.junit.jupiter.api.Tag;

@Tag("long")
class MariaDbDocumentedOutboxTest extends DocumentedOutboxContract {
  MariaDbDocumentedOutboxTest() {
    super(DatabaseKind.MARIADB, 10_000);
  }
}
