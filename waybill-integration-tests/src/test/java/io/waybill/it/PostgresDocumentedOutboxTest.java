package io.waybill.it;

import io.waybill.database.DatabaseKind;

class PostgresDocumentedOutboxTest extends DocumentedOutboxContract {
  PostgresDocumentedOutboxTest() {
    super(DatabaseKind.POSTGRESQL, 2_000);
  }
}
