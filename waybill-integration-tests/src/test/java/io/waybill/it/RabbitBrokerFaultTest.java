package io.waybill.it;

class RabbitBrokerFaultTest extends BrokerFaultContract {
  @Override
  BrokerUnderTest launchBroker() {
    return new RabbitUnderTest();
  }
}
