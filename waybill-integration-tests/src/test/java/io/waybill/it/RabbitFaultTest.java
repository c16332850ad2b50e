package io.waybill.it;

class RabbitFaultTest extends RelayFaultContract {
  @Override
  BrokerUnderTest launchBroker() {
    return new RabbitUnderTest();
  }
}
