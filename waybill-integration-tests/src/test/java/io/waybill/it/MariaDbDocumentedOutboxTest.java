package io.waybill.it;

import io.waybill.jdbc.DatabaseKind;

class MariaDbDocumentedOutboxTest extends DocumentedOutboxContract {
  MariaDbDocumentedOutboxTest() {
    super(DatabaseKind.MARIADB);
  }
}
