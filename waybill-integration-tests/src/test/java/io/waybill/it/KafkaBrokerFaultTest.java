package io.waybill.it;

class KafkaBrokerFaultTest extends BrokerFaultContract {
  @Override
  BrokerUnderTest launchBroker() {
    return new KafkaUnderTest();
  }
}
