package io.waybill.it;

class MariaDbDocumentedOutboxTest extends DocumentedOutboxContract {
  @Override
  EngineUnderTest launch() {
    return new MariaDbUnderTest();
  }
}
