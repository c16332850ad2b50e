package io.waybill.it;

class KafkaFaultTest extends RelayFaultContract {
  @Override
  BrokerUnderTest launchBroker() {
    return new KafkaUnderTest();
  }
}
