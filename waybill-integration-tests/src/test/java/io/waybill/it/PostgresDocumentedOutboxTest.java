package io.waybill.it;

class PostgresDocumentedOutboxTest extends DocumentedOutboxContract {
  @Override
  EngineUnderTest launch() {
    return new PostgresUnderTest();
  }
}
