package io.waybill.it;

class RabbitBadInputTest extends BadInputContract {
  @Override
  BrokerUnderTest launchBroker() {
    return new RabbitUnderTest();
  }
}
