package io.waybill.it;

import io.waybill.database.DatabaseKind;
import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresDocumentedOutboxLoadTest extends DocumentedOutboxContract {
  PostgresDocumentedOutboxLoadTest() {
    super(DatabaseKind.POSTGRESQL, 10_000);
  }
}
