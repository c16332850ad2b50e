package io.waybill.it;

import io.waybill.database.DatabaseKind;
import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresDocumentedOutboxTest extends DocumentedOutboxContract {
  PostgresDocumentedOutboxTest() {
    super(DatabaseKind.POSTGRESQL, 2_000);
  }
}
