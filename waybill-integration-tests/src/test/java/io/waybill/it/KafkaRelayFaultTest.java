package io.waybill.it;

class KafkaRelayFaultTest extends RelayFaultContract {
  @Override
  BrokerUnderTest launchBroker() {
    return new KafkaUnderTest();
  }
}
