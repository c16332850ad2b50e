package io.waybill.it;

class KafkaBadInputTest extends BadInputContract {
  @Override
  BrokerUnderTest launchBroker() {
    return new KafkaUnderTest();
  }
}
