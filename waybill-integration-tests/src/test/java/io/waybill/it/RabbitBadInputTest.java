package io.waybill.it;

import org.junit.jupiter.api.Tag;

@Tag("long")
class RabbitBadInputTest extends BadInputContract {
  @Override
  BrokerUnderTest launchBroker() {
    return new RabbitUnderTest();
  }
}
